// The words in the language chosen. Languages and games are loaded when they are needed.

import type { AgentWords, PresetWords } from "../games/game";
import type { AgentCard, GameInfo, Lobby, Options, OptionValue, RulePreset } from "../net/protocol";
import { unlearned } from "../rules";
import { settings, type Language } from "../settings";
import { en, type Words } from "./en";

const loaders: Record<Language, () => Promise<Words>> = {
  en: async () => en,
  ja: async () => (await import("./ja")).ja,
  zh: async () => (await import("./zh")).zh,
};

/** `you`: what a person is called who has given no name. */
export const languages: { code: Language; name: string; tag: string; you: string }[] = [
  { code: "en", name: "English", tag: "en", you: "You" },
  { code: "ja", name: "日本語", tag: "ja", you: "あなた" },
  { code: "zh", name: "中文", tag: "zh-Hans", you: "你" },
];

let current: Words = en;

/** The words to use now. */
export const words = (): Words => current;

/** Loads the language of the settings. */
export async function loadWords(): Promise<void> {
  const { code, tag } = ownLanguage();
  current = await loaders[code]();
  document.documentElement.lang = tag;
}

/** `why`: the server's own words about a file, which are English; the line before them is not. */
export function faultText(code: string, why?: unknown): string {
  const text = current.errors[code] ?? current.error(code);
  if (typeof why !== "string") return text;
  const [, line, reason] = why.match(/^record:(\d+): (.*)$/s) ?? [undefined, undefined, why];
  return `${text} ${current.reason(reason, line)}`;
}

/** A rule option's name and value in words. */
export const optionTitle = (game: string, name: string): string =>
  current.games[game]?.options[name]?.title ?? name;
export const optionValue = (game: string, name: string, value: OptionValue): string =>
  current.games[game]?.options[name]?.values?.[value] ?? String(value);

/** The titles of the options under which an agent did not learn. */
export const unlearnedTitles = (game: GameInfo, agent: AgentCard, given: Options): string[] =>
  unlearned(game, agent, given).map((name) => optionTitle(game.id, name));

/** A preset's name and a line about it: translated where we have words for it. */
export const presetText = (game: string, preset: RulePreset): PresetWords =>
  current.games[game]?.presets?.[preset.id] ?? { title: preset.title, line: preset.line };

/** What an agent is called here: translated where we have words for it. */
export function agentText(agent: { name: string; title: string; line?: string }): AgentWords {
  const [game, own] = agent.name.split("/", 2);
  return (
    current.games[game]?.agents[own] ?? current.agents[own] ?? { title: agent.title, line: agent.line ?? "" }
  );
}

/** A name that anybody may have given: one from right to left does not reorder the text around it. */
export const apart = (name: string): string => `\u2068${name}\u2069`;

const ownLanguage = () => languages.find((language) => language.code === settings().language)!;

/** The name of who has given none. */
export const noName = (): string => ownLanguage().you;

/** Whether somebody has given no name. */
const hasNoName = (name: string): boolean => languages.some((language) => language.you === name);

/** A person's name; without one, it is in the language of the page, whatever it was when the game began. */
export const personName = (name: string): string => (hasNoName(name) ? noName() : apart(name));

/** The name of a person at another browser. */
export const friendName = (name: string): string => (hasNoName(name) ? current.friends.unnamed : apart(name));

/** The same for a name alone, which may be that of an agent that is not here any more, or of a person. */
export function agentTitle(lobby: Lobby, name: string): string {
  const card = lobby.agents.find((agent) => agent.name === name);
  return card ? agentText(card).title : personName(name);
}

/** The name of a player in a list of one's games, who may be somebody else without a name. */
export const playerTitle = (lobby: Lobby, name: string, own: boolean): string =>
  own || !hasNoName(name) ? agentTitle(lobby, name) : friendName(name);

/** A game's title; the server's where the page has none. */
export const gameTitle = (lobby: Lobby, game: string): string =>
  current.games[game]?.title ?? lobby.games.find(({ id }) => id === game)?.title ?? game;

export const dayText = (iso: string): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" }).format(new Date(iso));

export const dateText = (iso: string): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(iso),
  );
