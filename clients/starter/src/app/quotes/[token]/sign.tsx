"use client";
import { useRef, useState, type PointerEvent } from "react";

/** A field to sign in, with a pen, a finger or a mouse. Its value is a PNG as a data URL. */
export function Sign({ label, again }: { label: string; again: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [picture, keep] = useState("");
  const draw = (event: PointerEvent<HTMLCanvasElement>, begin: boolean) => {
    const pen = event.currentTarget.getContext("2d")!;
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * event.currentTarget.width;
    const y = ((event.clientY - top) / height) * event.currentTarget.height;
    if (begin) pen.beginPath();
    pen.lineWidth = 2;
    pen.lineTo(x, y);
    pen.stroke();
  };
  const clear = () => {
    canvas.current?.getContext("2d")?.clearRect(0, 0, 400, 120);
    keep("");
  };
  return (
    <div className="field">
      <span id="signature">{label}</span>
      <canvas
        ref={canvas}
        aria-labelledby="signature"
        role="img"
        width={400}
        height={120}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          draw(event, true);
        }}
        onPointerMove={(event) => event.buttons > 0 && draw(event, false)}
        onPointerUp={(event) => keep(event.currentTarget.toDataURL("image/png"))}
      />
      <button type="button" onClick={clear}>
        {again}
      </button>
      <input type="hidden" name="signature" value={picture} />
    </div>
  );
}
