import { Component, type ComponentChildren } from "preact";

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
        <h1 tabIndex={-1}>This page has failed</h1>
        <p>The fault is in the shop's page, not in what you did. Your cart is where it was.</p>
        <p>
          <button type="button" class="button" onClick={() => location.reload()}>
            Load it again
          </button>
        </p>
        <p>
          <a href="#/">Go to the start</a>
        </p>
      </div>
    );
  }
}
