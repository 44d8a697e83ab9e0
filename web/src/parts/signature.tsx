import type { Failure } from "cartd-client";
import { useEffect, useRef, useState } from "preact/hooks";
import { GroupErrors } from "../shared/form.js";
import { t } from "../shared/t.js";

const size = { width: 600, height: 180 };

/** A field to sign in, with a finger, a pen or a mouse. Without any of them, the typed name is written. */
export function Signature({ onChange, failure }: { onChange: (png: string | null) => void; failure: Failure | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [signed, setSigned] = useState(false);
  const brush = () => {
    const context = canvas.current!.getContext("2d")!;
    context.strokeStyle = context.fillStyle = "#14324a";
    context.lineWidth = 2.4;
    context.lineCap = context.lineJoin = "round";
    return context;
  };
  const wipe = () => {
    const context = brush();
    context.save();
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, size.width, size.height);
    context.restore();
  };
  const finish = () => {
    setSigned(true);
    onChange(canvas.current!.toDataURL("image/png"));
  };
  useEffect(wipe, []);
  const at = (event: PointerEvent): [number, number] => {
    const box = canvas.current!.getBoundingClientRect();
    return [((event.clientX - box.left) * size.width) / box.width, ((event.clientY - box.top) * size.height) / box.height];
  };
  const write = () => {
    const name = canvas.current!.closest("form")!.querySelector<HTMLInputElement>("[name=signer_name]")!.value.trim();
    if (!name) return;
    wipe();
    const context = brush();
    context.font = "italic 56px 'Snell Roundhand', 'Segoe Script', 'Brush Script MT', cursive";
    context.fillText(name, 30, 110, size.width - 60);
    finish();
  };
  const refused = failure?.kind === "refused" && (failure.code === "SIGNATURE_REQUIRED" || failure.code === "SIGNATURE_INVALID");
  return (
    <div class="signature">
      <canvas
        ref={canvas}
        {...size}
        role="img"
        aria-label={signed ? t.quote.yourSignature : t.quote.signHere}
        data-refused={refused}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const context = brush();
          context.beginPath();
          context.moveTo(...at(event));
        }}
        onPointerMove={(event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
          const context = canvas.current!.getContext("2d")!;
          context.lineTo(...at(event));
          context.stroke();
        }}
        onPointerUp={finish}
      />
      <p class="signature-actions">
        <span class="hint">{signed ? t.quote.signed : t.quote.signWith}</span>
        <button type="button" class="link" onClick={write}>
          {t.quote.writeName}
        </button>
        <button
          type="button"
          class="link"
          disabled={!signed}
          onClick={() => {
            wipe();
            setSigned(false);
            onChange(null);
          }}
        >
          {t.quote.wipe}
        </button>
      </p>
      <GroupErrors name="signature" label={t.fields.signature} />
    </div>
  );
}
