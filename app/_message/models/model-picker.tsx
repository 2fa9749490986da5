"use client";

import { ChevronDown } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { modelName, useModels, useOwnModels } from "@/app/_data/models/use-models";
import { Button } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { countOf } from "@/app/_ui/format-amount";
import type { ModelsWire } from "@/lib/chat/wire/settings";

const loadPanel = () => import("./model-panel").then((part) => part.ModelPanel);
export const loadedModelPanel = dynamic(loadPanel);
const ModelPanel = loadedModelPanel;

function preloadPanel(): void {
  void loadPanel().catch(() => undefined);
}

export const mostTogether = 4;

export interface ModelPickerProps {
  readonly value: string | null;
  readonly onChange: (ref: string | null) => void;
  readonly together: readonly string[];
  readonly onTogether: (refs: readonly string[]) => void;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly assistant: string | null;
  readonly parametersSet: number;
  readonly foot: (close: () => void) => ReactNode;
}

export function ModelPicker(props: ModelPickerProps) {
  const { value, onChange, together, onTogether, button, assistant, parametersSet, foot } = props;
  const { data } = useModels();
  const [isOpen, setIsOpen] = useState(false);
  const [isSeveral, setIsSeveral] = useState(together.length > 0);
  if (!data) return <span className="h-8" />;
  const isOn = isSeveral || together.length > 1;
  const label = labelOf(data, { value, together });
  const asWords = assistant === null ? "" : `, as ${assistant}`;
  const setWords = parametersSet === 0 ? "" : `, ${countOf(parametersSet, "parameter")} set`;

  function toggle() {
    setIsSeveral(!isOn);
    if (isOn) onTogether([]);
    else onTogether([value ?? data?.defaultModel ?? ""].filter(Boolean));
  }

  function choose(ref: string | null) {
    if (!isOn || ref === null) {
      onTogether([]);
      setIsSeveral(false);
      return onChange(ref);
    }
    const others = together.filter((other) => other !== ref);
    if (others.length < together.length) onTogether(others);
    else if (together.length < mostTogether) onTogether([...together, ref]);
  }

  function close() {
    setIsOpen(false);
    if (together.length > 1) return;
    setIsSeveral(false);
    onTogether([]);
  }

  return (
    <>
      <Button
        ref={button}
        variant="ghost"
        size="sm"
        aria-label={
          (together.length > 1 ? `Ask ${together.length} models: ${label}` : `Model: ${label}`) +
          asWords +
          setWords
        }
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-model-picker
        className="shrink! min-w-0 font-normal"
        onPointerEnter={preloadPanel}
        onFocus={preloadPanel}
        onClick={() => (isOpen ? close() : setIsOpen(true))}
      >
        {assistant !== null && (
          <span
            aria-hidden
            data-name={`${assistant} ·`}
            className="shrink-0 before:content-[attr(data-name)]"
          />
        )}
        <span className="truncate">
          {together.length > 1 ? `${together.length} models` : label}
        </span>
        {parametersSet > 0 && (
          // Drawn, since the name of the button says it in full.
          <span
            aria-hidden
            data-set={`· ${parametersSet} set`}
            className="shrink-0 text-accent before:content-[attr(data-set)]"
          />
        )}
        <ChevronDown aria-hidden />
      </Button>
      {isOpen && (
        <ModelPanel
          anchor={button}
          title="Choose a model"
          foot={foot(close)}
          list={data}
          chosen={isOn ? together : value === null ? none : [value]}
          hasAutomatic={!isOn}
          several={{ most: mostTogether, isOn, onToggle: toggle }}
          onChoose={choose}
          onClose={close}
        />
      )}
    </>
  );
}

const none: readonly string[] = [];

function labelOf(
  list: ModelsWire,
  { value, together }: Pick<ModelPickerProps, "value" | "together">,
): string {
  const nameOf = (ref: string) => {
    const model = list.models.find((each) => each.ref === ref);
    return model ? modelName(model, list.models) : ref;
  };
  return together.length > 1 ? together.map(nameOf).join(", ") : nameOf(value ?? list.defaultModel);
}

export interface ModelButtonProps {
  readonly title: string;
  readonly label: string;
  readonly chosen: readonly string[];
  readonly className?: string;
  readonly size?: "sm" | "md";
  readonly hasAutomatic?: boolean;
  readonly onChoose: (ref: string | null) => void;
  readonly children: ReactNode;
}

export function ModelButton(props: ModelButtonProps) {
  const { title, label, chosen, className, size = "sm" } = props;
  const { hasAutomatic = false, onChoose, children } = props;
  const { data } = useOwnModels();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        ref={button}
        size={size}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className={classNames(className)}
        onPointerEnter={preloadPanel}
        onFocus={preloadPanel}
        onClick={() => setIsOpen(!isOpen)}
      >
        {children}
      </Button>
      {isOpen && data && (
        <ModelPanel
          anchor={button}
          title={title}
          list={data}
          chosen={chosen}
          side="bottom"
          hasAutomatic={hasAutomatic}
          onChoose={onChoose}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
