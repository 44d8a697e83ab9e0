/** The sign of the desk: that of the shop. */
export function Slats() {
  return (
    <svg class="slats" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 4h18M3 9.300h18M3 14.300h18" />
      <path class="sun" d="M3 19.500h18" />
    </svg>
  );
}
