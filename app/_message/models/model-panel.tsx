"use client";

import { Settings2 } from "lucide-react";
import Link from "next/link";
import { type CSSProperties, type ReactNode, type RefObject, useId } from "react";
import { modelFacts } from "@/app/_data/models/model-facts";
import { AnchoredPanel } from "@/app/_ui/anchored-panel";
import { Button } from "@/app/_ui/button";
import { inSpace } from "@/app/_ui/page-space";
import { monthWords } from "@/app/_ui/reader-day";
import type { ModelsWire, ModelWire } from "@/lib/chat/wire/settings";
import { ModelMarks } from "./model-marks";
import { abilityNames, ModelRows } from "./model-rows";
import { missingModels, type PickerRow } from "./picker-rows";
import { noteRecentModel, usePicker } from "./use-picker";

export interface ModelPanelProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly title: string;
  readonly list: ModelsWire;
  readonly chosen: readonly string[];
  readonly hasAutomatic?: boolean;
  readonly several?: {
    readonly most: number;
    readonly isOn: boolean;
    readonly onToggle: () => void;
  };
  readonly side?: "top" | "bottom";
  readonly foot?: ReactNode;
  readonly onChoose: (ref: string | null) => void;
  readonly onClose: () => void;
}

export function ModelPanel(props: ModelPanelProps) {
  const { anchor, title, side = "top", onClose } = props;
  return (
    <AnchoredPanel
      anchor={anchor}
      title={title}
      side={side}
      onClose={onClose}
      className="w-[34rem]"
    >
      <div
        style={{ "--rows": props.list.models.length + (props.foot ? 3 : 2) } as CSSProperties}
        className="-mx-5 flex h-[min(70dvh,calc(var(--rows)*3.125rem+9rem))] min-h-0 flex-col sm:mx-0 sm:h-[min(36rem,80dvh,calc(var(--rows)*3.125rem+9rem))]"
      >
        <Picker {...props} />
      </div>
    </AnchoredPanel>
  );
}

function Picker(props: ModelPanelProps) {
  const { list, chosen, hasAutomatic = false, several, onChoose, onClose } = props;
  const id = useId();
  const picker = usePicker({ list, chosen, hasAutomatic, onChoose: choose });
  const active = picker.rows[picker.activeIndex];
  const missing = missingModels(chosen, list);

  function choose(row: PickerRow) {
    if (row.kind === "heading") return;
    if (row.kind === "model") noteRecentModel(row.model.ref);
    onChoose(refOf(row));
    if (!several?.isOn) onClose();
  }

  return (
    <>
      <div className="flex items-center gap-2 border-line border-b p-2">
        <input
          type="text"
          role="combobox"
          aria-label="Search models"
          aria-expanded
          aria-haspopup="listbox"
          aria-controls={`${id}-list`}
          aria-activedescendant={active ? `${id}-${picker.activeIndex}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={
            list.models.length > 1 ? `Search ${list.models.length} models` : "Search models"
          }
          value={picker.query}
          onChange={(event) => picker.setQuery(event.target.value)}
          onKeyDown={picker.onKeyDown}
          className="h-9 min-w-0 flex-1 bg-transparent px-2 text-base outline-none placeholder:text-faint sm:text-sm"
        />
        {several && (
          <Button
            size="sm"
            variant="ghost"
            aria-pressed={several.isOn}
            className="aria-pressed:bg-accent-soft aria-pressed:text-ink"
            onClick={several.onToggle}
          >
            Several at once
          </Button>
        )}
      </div>
      {missing.length > 0 && (
        <p role="status" className="border-line border-b bg-warn-soft px-4 py-2 text-sm text-warn">
          {`No provider lists ${missing.join(", ")} now. Choose another model if it does not answer.`}
        </p>
      )}
      <ModelRows id={id} picker={picker} list={list} chosen={chosen} onChoose={choose} />
      {several?.isOn && (
        <div className="flex items-center gap-3 border-line border-t px-4 py-2 text-sm">
          <p role="status" className="flex-1 text-muted">
            {severalWords(chosen, { list, most: several.most })}
          </p>
          <Button size="sm" variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      )}
      {props.foot}
      <PickerFoot
        model={active?.kind === "model" ? active.model : null}
        list={list}
        hidden={picker.hidden}
        showsHidden={picker.showsHidden}
        onShowHidden={picker.setShowsHidden}
      />
    </>
  );
}

function refOf(row: Exclude<PickerRow, { kind: "heading" }>): string | null {
  if (row.kind === "automatic") return null;
  return row.kind === "typed" ? row.ref : row.model.ref;
}

function severalWords(
  chosen: readonly string[],
  { list, most }: { list: ModelsWire; most: number },
): string {
  if (chosen.length < 2) return `Choose 2 to ${most} models.`;
  const names = chosen.map((ref) => list.models.find((model) => model.ref === ref)?.label ?? ref);
  const words = `${chosen.length} models: ${names.join(", ")}.`;
  return chosen.length >= most ? `${words} No more at once.` : words;
}

interface PickerFootProps {
  readonly model: ModelWire | null;
  readonly list: ModelsWire;
  readonly hidden: number;
  readonly showsHidden: boolean;
  readonly onShowHidden: (shows: boolean) => void;
}

function PickerFoot({ model, list, hidden, showsHidden, onShowHidden }: PickerFootProps) {
  return (
    <div className="flex flex-col gap-1 border-line border-t bg-paper px-4 py-2.5 text-sm">
      {model && (
        <div className="flex items-center gap-2">
          <p className="min-w-0 flex-1">
            <bdi className="block truncate font-medium">{model.label}</bdi>
            <span className="block text-muted text-xs tabular-nums">
              {[modelFacts(model), ...abilityNames(model)].join(" · ")}
            </span>
          </p>
          <ModelMarks model={model} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-faint text-xs">
        <span className="flex-1">Built-in prices as of {monthWords(list.pricesReadOn)}</span>
        {(hidden > 0 || showsHidden) && (
          <FootButton onClick={() => onShowHidden(!showsHidden)}>
            {showsHidden ? "Leave out hidden models" : `Show ${hidden} hidden`}
          </FootButton>
        )}
        <Link
          href={inSpace("/settings?section=models")}
          className="inline-flex min-h-6 items-center gap-1 rounded-xs text-muted underline-offset-2 hover:text-ink hover:underline"
        >
          <Settings2 aria-hidden className="size-3" />
          Manage models
        </Link>
      </div>
    </div>
  );
}

function FootButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="min-h-6 rounded-xs text-muted underline-offset-2 hover:text-ink hover:underline"
    >
      {children}
    </button>
  );
}
