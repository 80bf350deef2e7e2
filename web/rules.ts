// Rule options of a table: what is not named is as by default, presets, and who did not learn under them.

import type { AgentCard, GameInfo, Options, RulePreset } from "./net/protocol";

/** All options of a game; of those that are not given, the default. */
export const allOptions = (game: GameInfo, given: Options): Options =>
  Object.fromEntries(game.options.map(({ name, default: usual }) => [name, given[name] ?? usual]));

/** Whether the same rules are played under both; what is not named is as by default. */
export const areAlike = (game: GameInfo, one: Options, other: Options): boolean => {
  const [first, second] = [allOptions(game, one), allOptions(game, other)];
  return game.options.every(({ name }) => first[name] === second[name]);
};

/** The preset that has exactly these options, if there is one. */
export const presetOf = (game: GameInfo, given: Options): RulePreset | undefined =>
  game.presets.find((preset) => areAlike(game, preset.options, given));

/** The names of the options under which an agent did not learn: it goes on by the rules that it knows. */
export const unlearned = (game: GameInfo, agent: AgentCard, given: Options): string[] => {
  const learned = agent.learned_options;
  if (!learned) return [];
  const options = allOptions(game, given);
  return game.options
    .filter(({ name, neutral }) => !neutral && learned[name] !== undefined && learned[name] !== options[name])
    .map(({ name }) => name);
};
