"use client";

import { Eye, EyeOff, Star } from "lucide-react";
import { toastError } from "@/app/_api/toast-error";
import { useMarkModel } from "@/app/_data/models/use-models";
import { IconButton } from "@/app/_ui/button";
import type { ModelWire } from "@/lib/chat/wire/settings";

export interface ModelMarksProps {
  readonly model: ModelWire;
  readonly isNamed?: boolean;
}

export function ModelMarks({ model, isNamed = false }: ModelMarksProps) {
  const { ref, isFavorite, isHidden } = model;
  const name = isNamed ? `${model.label} ` : "";
  const marking = useMarkModel();
  const mark = (change: { isFavorite?: boolean; isHidden?: boolean }) =>
    marking.mutate({ ref, ...change }, { onError: toastError });
  return (
    <>
      <IconButton
        label={isFavorite ? `Remove ${name}from favorites` : `Add ${name}to favorites`}
        tooltip="top"
        className={isFavorite ? "text-accent" : ""}
        onClick={() => mark({ isFavorite: !isFavorite })}
      >
        <Star aria-hidden className={isFavorite ? "fill-current" : ""} />
      </IconButton>
      <IconButton
        label={isHidden ? `Show ${name}in the list` : `Hide ${name}from the list`}
        tooltip="top"
        onClick={() => mark({ isHidden: !isHidden })}
      >
        {isHidden ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
      </IconButton>
    </>
  );
}
