import Image from "next/image";
import type { Schemas } from "@/server/shop";

interface Props {
  media: Schemas["Media"] | null | undefined;
  /** How wide it is shown, as in `sizes` of an img: the browser takes a file of that width. */
  sizes: string;
  /** It is seen first: do not wait for the rest of the page. */
  first?: boolean | undefined;
}

/**
 * A picture in its frame, which has its place before the picture comes. Next makes small files of pictures at this shop's own addresses; those of other
 * servers are shown as they are. To have these made small too, name the servers in `images.remotePatterns` of next.config.ts.
 */
export function Picture({ media, sizes, first }: Props) {
  return (
    <span className="picture">
      {media && (
        <Image
          src={media.url}
          alt={media.alt ?? ""}
          fill
          sizes={sizes}
          unoptimized={!media.url.startsWith("/")}
          loading={first ? "eager" : "lazy"}
          fetchPriority={first ? "high" : "auto"}
        />
      )}
    </span>
  );
}
