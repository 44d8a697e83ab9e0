import { textsIn, type Language } from "@/texts/language";

/** The page for a visitor who has asked for too much: what to do, and the way back. It needs nothing of cartd. */
export function waitingPage(language: Language, to: string): Response {
  const { word } = textsIn(language);
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escaped(word("busy"))}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light }</style>
<main><h1>${escaped(word("busy"))}</h1><p>${escaped(word("too_many"))}</p><p><a href="${escaped(to)}">${escaped(word("again"))}</a></p></main></html>`;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Retry-After": "60", "Cache-Control": "no-store" };
  return new Response(html, { status: 429, headers });
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
