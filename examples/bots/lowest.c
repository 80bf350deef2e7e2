/* A bot in C without any library: plays the move that comes first, or with an argument the last one.

   cc -O2 -o lowest examples/bots/lowest.c
   fuda duel koikoi bot:./lowest koikoi/random --games 20

   It reads no JSON in general, only what the arena writes: no spaces outside of texts, and the legal moves
   in the view. Moves are plain letters, so nothing in them is escaped. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number after a key, which every question has. */
static long number_of(const char *line, const char *key) {
    const char *found = strstr(line, key);
    return found ? strtol(found + strlen(key), NULL, 10) : 0;
}

/* The first or the last move of "legal":["a","b",...]; its length goes to `length`. */
static const char *choose(const char *line, int last, int *length) {
    static const char KEY[] = "\"legal\":[\"";
    const char *move = strstr(line, KEY);
    if (!move) return NULL;
    move += strlen(KEY);
    while (last) {
        const char *end = strchr(move, '"');
        if (!end || end[1] != ',') break;
        move = end + 3;
    }
    *length = (int)strcspn(move, "\"");
    return move;
}

/* The games with the versions of their rules: the object after "rules":, as it stands. */
static void say_hello(const char *line) {
    static const char KEY[] = "\"rules\":";
    const char *games = strstr(line, KEY);
    if (!games) exit(1);
    games += strlen(KEY);
    printf("{\"type\":\"hello\",\"v\":1,\"name\":\"Lowest\",\"author\":\"fuda\",\"wants\":[\"view\"],\"games\":%.*s}\n",
           (int)(strchr(games, '}') - games + 1), games);
}

int main(int count, char **arguments) {
    char *line = NULL;
    size_t room = 0;
    (void)arguments;
    while (getline(&line, &room, stdin) > 0) {
        int length = 0;
        if (!strncmp(line, "{\"type\":\"hello\"", 15)) {
            say_hello(line);
        } else if (!strncmp(line, "{\"type\":\"ping\"", 14)) {
            printf("{\"type\":\"pong\",\"id\":%ld}\n", number_of(line, "\"id\":"));
        } else if (!strncmp(line, "{\"type\":\"act\"", 13)) {
            const char *move = choose(line, count > 1, &length);
            if (!move) return 1;
            printf("{\"type\":\"move\",\"id\":%ld,\"move\":\"%.*s\"}\n", number_of(line, "\"id\":"), length, move);
        }
        fflush(stdout); /* the line must leave at once */
    }
    free(line);
    return 0;
}
