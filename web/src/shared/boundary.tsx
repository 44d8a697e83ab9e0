import { Component, type ComponentChildren } from "preact";
import { t } from "./t.js";

/** Shows a way out where a view has failed, instead of an empty page. */
export class Boundary extends Component<{ children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error); // for whoever mends the shop
  }

  override render() {
    if (!this.state.failed) return <>{this.props.children}</>;
    return (
      <div class="empty" role="alert">
        <h1 tabIndex={-1}>{t.shell.failed}</h1>
        <p>{t.shell.failedWhy}</p>
        <p>
          <button type="button" class="button" onClick={() => location.reload()}>
            {t.shell.loadAgain}
          </button>
        </p>
        <p>
          <a href="#/">{t.shell.toStart}</a>
        </p>
      </div>
    );
  }
}
