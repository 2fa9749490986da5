"use client";

import { useBlocks } from "@/app/_data/memory/use-blocks";
import { isolated } from "@/app/_ui/isolated";
import { Spinner } from "@/app/_ui/loading";
import { SwitchLine } from "@/app/_ui/switch-line";

export interface KeyBlocksFieldsProps {
  /** Ids; `null` for all. */
  readonly blocks: readonly string[] | null;
  readonly onChange: (blocks: readonly string[] | null) => void;
}

/** The parts of memory that a key may know. */
export function KeyBlocksFields({ blocks, onChange }: KeyBlocksFieldsProps) {
  const known = useBlocks(null).data;
  return (
    <fieldset className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <legend className="px-1 font-medium text-sm">Which memory</legend>
      <SwitchLine
        label="All of it"
        note="Also parts that you add later. Models asked over the API then search your chats, too."
        checked={blocks === null}
        onChange={(isOn) => onChange(isOn ? null : [])}
      />
      {blocks !== null && !known && <Spinner label="Loading your memory" />}
      {blocks !== null &&
        known?.map(({ id, label, description }) => (
          <SwitchLine
            key={id}
            label={isolated(label)}
            note={description ?? ""}
            checked={blocks.includes(id)}
            onChange={(isOn) =>
              onChange(isOn ? [...blocks, id] : blocks.filter((each) => each !== id))
            }
          />
        ))}
    </fieldset>
  );
}
