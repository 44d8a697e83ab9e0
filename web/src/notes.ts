import { makeStore } from "./store.js";

// Sentences about what has ended without the visitor's doing. They stay until they are put away.

export const notes = makeStore<string[]>([]);

export function note(sentence: string) {
  if (!notes.get().includes(sentence)) notes.set([...notes.get(), sentence]);
}

export const dropNotes = () => notes.set([]);
