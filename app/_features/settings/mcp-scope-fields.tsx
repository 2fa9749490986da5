"use client";

import { SelectField } from "@/app/_ui/select";
import { SwitchLine } from "@/app/_ui/toggles";
import type { McpScope } from "@/lib/chat/wire/keys";

const memoryChoices = {
  none: { label: "Nothing", scopes: [] },
  read: { label: "Read", scopes: ["memory:read"] },
  propose: { label: "Read, and suggest changes", scopes: ["memory:read", "memory:propose"] },
  suggestOnly: { label: "Suggest changes, without reading", scopes: ["memory:propose"] },
  write: { label: "Read and write", scopes: ["memory:read", "memory:write"] },
} as const satisfies Record<string, { label: string; scopes: readonly McpScope[] }>;

type MemoryChoice = keyof typeof memoryChoices;

const others = [
  { scope: "chats:search", label: "Search chats", note: "Excerpts, on every branch." },
  { scope: "chats:read", label: "Read chats", note: "Their titles, and each in full." },
  { scope: "skills:read", label: "Use skills", note: "As prompts and tools." },
] as const;

export interface McpScopeFieldsProps {
  readonly scopes: readonly McpScope[];
  readonly onChange: (scopes: readonly McpScope[]) => void;
}

export function McpScopeFields({ scopes, onChange }: McpScopeFieldsProps) {
  const ofMemory = scopes.filter((scope) => scope.startsWith("memory:"));
  const rest = scopes.filter((scope) => !scope.startsWith("memory:"));
  const toggled = (scope: McpScope, isOn: boolean) =>
    isOn ? [...scopes, scope] : scopes.filter((each) => each !== scope);
  return (
    <fieldset className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <legend className="px-1 font-medium text-sm">MCP</legend>
      <SelectField
        label="Memory"
        hint="Changes are shown under this key's name. Suggestions wait for you."
        value={choiceOf(ofMemory)}
        options={choices.map((value) => ({ value, label: memoryChoices[value].label }))}
        onChange={(choice) => onChange([...memoryChoices[choice].scopes, ...rest])}
      />
      {others.map(({ scope, label, note }) => (
        <SwitchLine
          key={scope}
          label={label}
          note={note}
          checked={scopes.includes(scope)}
          onChange={(isOn) => onChange(toggled(scope, isOn))}
        />
      ))}
    </fieldset>
  );
}

const words: Record<McpScope, string> = {
  "memory:read": "reads memory",
  "memory:propose": "suggests changes",
  "memory:write": "writes memory",
  "chats:search": "searches chats",
  "chats:read": "reads chats",
  "skills:read": "uses skills",
};

export function scopeWords(scopes: readonly McpScope[]): string {
  return scopes.map((scope) => words[scope]).join(", ");
}

const choices = Object.keys(memoryChoices) as MemoryChoice[];

function choiceOf(scopes: readonly McpScope[]): MemoryChoice {
  const isChosen = (choice: MemoryChoice) =>
    [...memoryChoices[choice].scopes].sort().join() === [...scopes].sort().join();
  return choices.find(isChosen) ?? "none";
}
