"use client";

import { Brain, Check, EyeOff, FileText, Image as ImageIcon, Star, Wrench } from "lucide-react";
import { useEffect, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { choiceWords } from "@/app/_data/models/model-words";
import { classNames } from "@/app/_ui/class-names";
import { formatCompact } from "@/app/_ui/format-amount";
import type { ModelsWire, ModelWire } from "@/lib/chat/wire/settings";
import type { ModelRow, PickerRow } from "./picker-rows";
import type { usePicker } from "./use-picker";

export interface ModelRowsProps {
  readonly id: string;
  readonly picker: ReturnType<typeof usePicker>;
  readonly list: ModelsWire;
  readonly chosen: readonly string[];
  readonly onChoose: (row: PickerRow) => void;
}

const rowPx = 50;

/** The focus stays in the search field, which names the active row. */
export function ModelRows({ id, picker, list, chosen, onChoose }: ModelRowsProps) {
  const { rows, activeIndex, moveTo } = picker;
  const handle = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const index = activeIndex === 1 ? 0 : activeIndex;
    if (index >= 0) handle.current?.scrollToIndex(index, { align: "nearest" });
  }, [activeIndex]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {rows.length === 0 && (
        <p role="status" className="px-4 py-6 text-center text-muted text-sm">
          No model matches.
        </p>
      )}
      <div
        ref={scroller}
        id={`${id}-list`}
        role="listbox"
        aria-label="Models"
        aria-multiselectable
        tabIndex={-1}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-1"
      >
        <Virtualizer
          ref={handle}
          scrollRef={scroller}
          itemSize={rowPx}
          keepMounted={activeIndex === -1 ? [] : [activeIndex]}
        >
          {rows.map((row, index) =>
            row.kind === "heading" ? (
              <p
                key={row.key}
                role="presentation"
                className="px-4 pt-3 pb-1 font-medium text-faint text-xs"
              >
                {row.label}
              </p>
            ) : (
              <ModelOption
                key={row.key}
                id={`${id}-${index}`}
                row={row}
                list={list}
                place={`${index + 1}/${rows.length}`}
                isActive={index === activeIndex}
                isChosen={isChosen(row, chosen)}
                onPoint={() => moveTo(index)}
                onChoose={() => onChoose(row)}
              />
            ),
          )}
        </Virtualizer>
      </div>
    </div>
  );
}

function isChosen(row: PickerRow, chosen: readonly string[]): boolean {
  if (row.kind === "automatic") return chosen.length === 0;
  return row.kind === "model" && chosen.includes(row.model.ref);
}

interface ModelOptionProps {
  readonly id: string;
  readonly row: Exclude<PickerRow, { kind: "heading" }>;
  readonly list: ModelsWire;
  readonly place: string;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function ModelOption(props: ModelOptionProps) {
  const { id, row, list, place, isActive, isChosen, onPoint, onChoose } = props;
  const [position, size] = place.split("/").map(Number);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled in the search field, which keeps the focus
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      aria-posinset={position}
      aria-setsize={size}
      onPointerMove={isActive ? undefined : onPoint}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        // A finger does not point before it presses.
        onPoint();
        onChoose();
      }}
      className={classNames(
        "mx-1 flex min-h-11 cursor-pointer items-center gap-2.5 rounded-md px-3 py-1.5 text-sm",
        isActive && "bg-hover",
      )}
    >
      <Check
        aria-hidden
        className={classNames("size-4 shrink-0 text-accent", !isChosen && "invisible")}
      />
      {row.kind === "automatic" && <AutomaticWords list={list} />}
      {row.kind === "typed" && <span className="min-w-0 flex-1 truncate">Use “{row.name}”</span>}
      {row.kind === "model" && <ModelWords model={row.model} group={row.group} />}
      {row.kind === "model" && <Abilities model={row.model} />}
    </div>
  );
}

function AutomaticWords({ list }: { list: ModelsWire }) {
  const { models, defaultModel, defaultChoice } = list;
  const label = models.find(({ ref }) => ref === defaultModel)?.label ?? defaultModel;
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate">Automatic</span>
      <span className="block truncate text-muted text-xs">
        {label}: {choiceWords[defaultChoice]}
      </span>
    </span>
  );
}

function ModelWords({ model, group }: Pick<ModelRow, "model" | "group">) {
  return (
    <span className="min-w-0 flex-1">
      <span className="flex items-center gap-1.5">
        <bdi className="truncate">{model.label}</bdi>
        {model.isFavorite && (
          <Star aria-label="Favorite" className="size-3 shrink-0 fill-current text-accent" />
        )}
        {model.isHidden && <EyeOff aria-label="Hidden" className="size-3 shrink-0 text-muted" />}
      </span>
      <span className="block truncate text-muted text-xs tabular-nums">
        <span className={group === "provider" ? "sr-only" : ""}>{model.provider} · </span>
        {rowNote(model)}
      </span>
    </span>
  );
}

function rowNote(model: ModelWire): string {
  if (model.isDemo) return "Scripted, no AI";
  const { price, isLocal, isWindowAssumed, contextWindow } = model;
  const known = [
    !isWindowAssumed && formatCompact(contextWindow),
    price
      ? `$${price.inputPerMillion} in, $${price.outputPerMillion} out`
      : isLocal && "on this machine",
  ];
  return known.filter(Boolean).join(" · ");
}

const abilities = [
  ["Images", ImageIcon, ({ takes }: ModelWire) => takes.images],
  ["PDFs", FileText, ({ takes }: ModelWire) => takes.pdfs],
  ["Tools", Wrench, ({ tools }: ModelWire) => tools !== false],
  ["Reasoning", Brain, ({ reasoning }: ModelWire) => reasoning],
] as const;

export function abilityNames(model: ModelWire): string[] {
  return abilities.flatMap(([name, , has]) => (has(model) ? [name] : []));
}

function Abilities({ model }: { model: ModelWire }) {
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-muted">
      <span className="sr-only">{abilityNames(model).join(", ") || "Text only"}</span>
      {abilities.map(([name, Icon, has]) => (
        <Icon
          key={name}
          aria-hidden
          className={classNames("size-3.5", has(model) ? "" : "invisible")}
        />
      ))}
    </span>
  );
}
