/** The drawing of the start page: a window in the morning, or at night, behind slats that open. */
export function Window() {
  return (
    <div class="window" aria-hidden="true">
      <div class="window-sky">
        <i class="window-sun" />
        <i class="window-hill" />
        <i class="window-hill window-hill-near" />
      </div>
      <div class="window-slats">
        {Array.from({ length: 15 }, () => (
          <i />
        ))}
      </div>
    </div>
  );
}
