import NextLink from "next/link";
import type { ComponentProps } from "react";

/** A link that is not loaded ahead: a page that is prefetched costs cartd as many calls as one that is read. */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
