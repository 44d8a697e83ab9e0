/** A sentence whose words in [brackets] are links to the addresses. */
export function Linked({ text, to }: { text: string; to: string }) {
  return <>{text.split(/\[(.*?)\]/).map((part, i) => (i % 2 === 1 ? <a href={to}>{part}</a> : part))}</>;
}
