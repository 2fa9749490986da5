"use client";

import { type ReactNode, useState } from "react";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { type FormSchema, useForm } from "@/app/_data/forms/use-form";
import { drawings, iconName } from "@/app/_data/projects/drawn-icon";
import { ProjectIcon } from "@/app/_data/projects/project-icon";
import { useChangeProject, useMakeProject } from "@/app/_data/projects/use-projects";
import { InputField } from "@/app/_ui/fields";
import { inSpace } from "@/app/_ui/page-space";
import { SelectField } from "@/app/_ui/select";
import { leaveDocument } from "@/app/_ui/use-back-closes";
import type { ProjectWire } from "@/lib/chat/wire/projects";

const nameSchema: FormSchema<{ name: string; icon: string }> = {
  name: ({ name }) => (name.trim() === "" ? "Name the project." : null),
};

const noIcon = "none";
const icons = [
  { value: noIcon, label: <IconChoice icon={null}>Folder</IconChoice> },
  ...Object.entries(drawings).map(([value, { label }]) => ({
    value,
    label: <IconChoice icon={value}>{label}</IconChoice>,
  })),
];

function IconChoice({ icon, children }: { icon: string | null; children: ReactNode }) {
  return (
    <span className="flex items-center gap-2">
      <ProjectIcon icon={icon} className="size-4 text-muted" />
      {children}
    </span>
  );
}

interface ProjectDialogProps {
  /** `null` makes one, and opens it. */
  readonly project: ProjectWire | null;
  readonly onClose: () => void;
}

export function ProjectDialog({ project, onClose }: ProjectDialogProps) {
  // Saving again after a lost answer must not make a second project.
  const [id] = useState(() => project?.id ?? `p-${crypto.randomUUID()}`);
  const making = useMakeProject();
  const changing = useChangeProject();
  const form = useForm({
    initial: { name: project?.name ?? "", icon: iconName(project?.icon ?? noIcon) },
    schema: nameSchema,
    save: ({ name, icon }) =>
      project
        ? changing.mutateAsync({ id, name, icon: icon === noIcon ? null : icon })
        : making.mutateAsync({ id, name }),
    onSaved: () => {
      onClose();
      if (!project) leaveDocument(inSpace("/", id));
    },
  });
  return (
    <FormDialog
      form={form}
      title={project ? "Name and icon" : "New project"}
      {...(!project && {
        description: "A place with chats, instructions and memory of its own.",
      })}
      saveLabel={project ? "Save" : "Create"}
      onClose={onClose}
    >
      <InputField label="Name" maxLength={80} autoComplete="off" autoFocus {...form.text("name")} />
      {project && (
        <SelectField
          label="Icon"
          value={form.values.icon}
          options={withOwn(form.values.icon)}
          onChange={(icon) => form.change({ icon })}
        />
      )}
    </FormDialog>
  );
}

/** A request may have set another emoji. */
function withOwn(icon: string) {
  const isKnown = icons.some(({ value }) => value === icon);
  return isKnown ? icons : [...icons, { value: icon, label: icon }];
}
