// The words in the language chosen. Languages and games are loaded when they are needed.

import type { Lobby, OptionValue } from "../net/protocol";
import { settings, type Language } from "../settings";
import { en, type Words } from "./en";

const loaders: Record<Language, () => Promise<Words>> = {
  en: async () => en,
  ja: async () => (await import("./ja")).ja,
  zh: async () => (await import("./zh")).zh,
};

export const languages: { code: Language; name: string; tag: string }[] = [
  { code: "en", name: "English", tag: "en" },
  { code: "ja", name: "日本語", tag: "ja" },
  { code: "zh", name: "中文", tag: "zh-Hans" },
];

let current: Words = en;

/** The words to use now. */
export const words = (): Words => current;

/** Loads the language of the settings. */
export async function loadWords(): Promise<void> {
  const wanted = settings().language;
  current = await loaders[wanted]();
  document.documentElement.lang = languages.find((language) => language.code === wanted)!.tag;
}

export const faultText = (code: string): string => current.errors[code] ?? current.error(code);

/** A rule option's name and value in words. */
export const optionTitle = (name: string): string => current.options[name]?.title ?? name;
export const optionValue = (name: string, value: OptionValue): string =>
  current.options[name]?.values[value] ?? String(value);

/** What an agent is called here: translated where we have words for it. */
export function agentText(agent: { name: string; title: string; line?: string }): {
  title: string;
  line: string;
} {
  return current.agents[agent.name] ?? { title: agent.title, line: agent.line ?? "" };
}

/** A name that anybody may have given: one from right to left does not reorder the text around it. */
export const apart = (name: string): string => `\u2068${name}\u2069`;

/** The same for a name alone, which may be that of an agent that is not here any more, or of a person. */
export function agentTitle(lobby: Lobby, name: string): string {
  const card = lobby.agents.find((agent) => agent.name === name);
  return card ? agentText(card).title : apart(name);
}

export const gameTitle = (game: string, fallback = game): string => current.games[game]?.title ?? fallback;

export const dateText = (iso: string): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(iso),
  );
