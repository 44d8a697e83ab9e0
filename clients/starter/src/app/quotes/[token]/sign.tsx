"use client";
import { useRef, useState, type PointerEvent } from "react";

const size = { width: 400, height: 120 };

interface Props {
  words: { title: string; draw: string; type: string; again: string };
}

/** A field to sign in: with a pen, a finger or a mouse, or by typing a name, which the keyboard alone can do. Its value is a PNG as a data URL. */
export function Sign({ words }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [picture, keep] = useState("");
  const [name, write] = useState("");
  const pen = () => canvas.current!.getContext("2d")!;
  const wipe = () => {
    pen().clearRect(0, 0, size.width, size.height);
    keep("");
  };
  const draw = (event: PointerEvent<HTMLCanvasElement>, begin: boolean) => {
    if (name !== "") {
      write("");
      wipe();
    }
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    if (begin) pen().beginPath();
    pen().lineWidth = 2;
    pen().lineTo(((event.clientX - left) / width) * size.width, ((event.clientY - top) / height) * size.height);
    pen().stroke();
  };
  const type = (text: string) => {
    write(text);
    wipe();
    if (text.trim() === "") return;
    let height = 48;
    do pen().font = `italic ${height}px cursive`;
    while (pen().measureText(text).width > size.width - 20 && --height > 10);
    pen().textBaseline = "middle";
    pen().fillText(text, 10, size.height / 2);
    keep(canvas.current!.toDataURL("image/png"));
  };
  return (
    <fieldset>
      <legend>{words.title}</legend>
      <p id="draw">{words.draw}</p>
      <canvas
        ref={canvas}
        aria-labelledby="draw"
        role="img"
        {...size}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          draw(event, true);
        }}
        onPointerMove={(event) => event.buttons > 0 && draw(event, false)}
        onPointerUp={(event) => keep(event.currentTarget.toDataURL("image/png"))}
      />
      <div className="field">
        <label htmlFor="signature-typed">{words.type}</label>
        <input id="signature-typed" value={name} onChange={(event) => type(event.target.value)} maxLength={100} autoComplete="off" />
      </div>
      <button
        type="button"
        onClick={() => {
          write("");
          wipe();
        }}
      >
        {words.again}
      </button>
      <input type="hidden" name="signature" value={picture} />
    </fieldset>
  );
}
