"use client";

import { useState } from "react";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { type FormSchema, useForm } from "@/app/_data/forms/use-form";
import { useChangeProject, useMakeProject } from "@/app/_data/projects/use-projects";
import { InputField } from "@/app/_ui/fields";
import { inSpace } from "@/app/_ui/page-space";
import { leaveDocument } from "@/app/_ui/use-back-closes";
import type { ProjectWire } from "@/lib/chat/wire/projects";

const nameSchema: FormSchema<{ name: string }> = {
  name: ({ name }) => (name.trim() === "" ? "Name the project." : null),
};

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
    initial: { name: project?.name ?? "" },
    schema: nameSchema,
    save: ({ name }) => (project ? changing : making).mutateAsync({ id, name }),
    onSaved: () => {
      onClose();
      if (!project) leaveDocument(inSpace("/", id));
    },
  });
  return (
    <FormDialog
      form={form}
      title={project ? "Rename project" : "New project"}
      {...(!project && {
        description: "A place with chats, instructions and memory of its own.",
      })}
      saveLabel={project ? "Rename" : "Create"}
      onClose={onClose}
    >
      <InputField label="Name" maxLength={80} autoComplete="off" autoFocus {...form.text("name")} />
    </FormDialog>
  );
}
