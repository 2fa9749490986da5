"use client";

import { SlidersHorizontal } from "lucide-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { useModels } from "@/app/_data/models/use-models";
import { IconButton } from "@/app/_ui/button";
import type { ParametersPanelProps } from "./parameters-panel";

const ParametersPanel = dynamic(() =>
  import("./parameters-panel").then((part) => part.ParametersPanel),
);

type ParametersButtonProps = Omit<ParametersPanelProps, "anchor" | "model" | "onClose">;

export function ParametersButton(props: ParametersButtonProps) {
  const { data } = useModels();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const count = Object.keys(props.parameters).length;
  // The button comes with the picker before it, which would move it.
  if (!data) return null;
  const ref = props.modelRef ?? data.defaultModel;
  return (
    <>
      <IconButton
        ref={button}
        label={count === 0 ? "Parameters" : `Parameters, ${count} set`}
        tooltip="top"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <SlidersHorizontal aria-hidden className={count > 0 ? "text-accent" : ""} />
      </IconButton>
      {isOpen && (
        <ParametersPanel
          {...props}
          anchor={button}
          model={data.models.find((model) => model.ref === ref) ?? null}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
