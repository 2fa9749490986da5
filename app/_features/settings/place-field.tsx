"use client";

import { useProjects } from "@/app/_data/projects/use-projects";
import { isolated } from "@/app/_ui/isolated";
import { SelectField } from "@/app/_ui/select";

interface PlaceFieldProps {
  /** A project, or with `null` the person's own chats. */
  readonly space: string | null;
  /** A project that would be made; none is offered without. */
  readonly made?: { readonly id: string; readonly name: string } | null;
  readonly onChange: (space: string | null) => void;
}

const own = "own";

/** Says which chats, memory and files a program has. */
export function PlaceField({ space, made = null, onChange }: PlaceFieldProps) {
  const projects = (useProjects().data?.projects ?? []).filter(({ role }) => role !== "reader");
  const isMade = made === null || projects.some(({ id }) => id === made.id);
  if (projects.length === 0 && isMade) return null;
  return (
    <SelectField
      label="Place"
      hint="Its chats, memory and files are there. It knows no other place, and this stays so."
      value={space ?? own}
      options={[
        { value: own, label: "My chats" },
        ...projects.map(({ id, name }) => ({ value: id, label: isolated(name) })),
        ...(isMade ? [] : [{ value: made.id, label: newName(made.name) }]),
      ]}
      onChange={(chosen) => onChange(chosen === own ? null : chosen)}
    />
  );
}

function newName(name: string): string {
  return name === "" ? "A new project" : `A new project, ${isolated(name)}`;
}

/** `null` in the person's own chats, and until it is known. */
export function usePlaceName(space: string | null): string | null {
  const { data } = useProjects();
  if (space === null || !data) return null;
  const name = data.projects.find(({ id }) => id === space)?.name;
  return name === undefined ? "a deleted project" : isolated(name);
}
