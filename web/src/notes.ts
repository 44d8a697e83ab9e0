import { makeStore } from "./shared/store.js";

// Sentences about what has ended without the visitor's doing. They stay until they are put away.

export interface Note {
  /** What it is about: it takes the place of an earlier one about the same. */
  about: "session" | "cart" | "order";
  /** The sentence, in the language of the moment. */
  text(): string;
  /** Where the words in its brackets lead. */
  to?: string;
}

export const notes = makeStore<Note[]>([]);

export const note = (of: Note) => notes.set([...notes.get().filter((one) => one.about !== of.about), of]);

export const dropNotes = () => notes.set([]);
