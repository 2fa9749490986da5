"use client";

import { Camera, Paperclip } from "lucide-react";
import { type ReactNode, type Ref, useRef } from "react";
import { readKinds } from "@/app/_data/files/file-words";
import { IconButton } from "@/app/_ui/button";
import { MenuItem } from "@/app/_ui/menu";
import { touchQuery, useMediaQuery } from "@/app/_ui/use-media-query";

export interface Attaching {
  readonly pickFiles: () => void;
  readonly takePhoto: () => void;
  readonly inputs: ReactNode;
}

export function useAttaching(onFiles: (files: readonly File[]) => void): Attaching {
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  return {
    pickFiles: () => files.current?.click(),
    takePhoto: () => camera.current?.click(),
    inputs: (
      <>
        <FileInput ref={files} label={attach} onFiles={onFiles} />
        <FileInput ref={camera} label={photo} capture="environment" onFiles={onFiles} />
      </>
    ),
  };
}

const attach = "Attach files";
const photo = "Take a photo";

export function AttachButtons({ pickFiles, takePhoto }: Omit<Attaching, "inputs">) {
  return (
    <>
      <IconButton
        label={attach}
        aria-description={readKinds}
        data-tooltip={`${attach}: ${readKinds}`}
        tooltip="top"
        onClick={pickFiles}
      >
        <Paperclip aria-hidden />
      </IconButton>
      <div className="pointer-coarse:contents hidden">
        <IconButton label={photo} tooltip="top" onClick={takePhoto}>
          <Camera aria-hidden />
        </IconButton>
      </div>
    </>
  );
}

export function AttachItems({ pickFiles, takePhoto }: Omit<Attaching, "inputs">) {
  const isTouch = useMediaQuery(touchQuery);
  return (
    <>
      <MenuItem
        icon={<Paperclip aria-hidden />}
        note={<span className="whitespace-normal">{readKinds}</span>}
        onSelect={pickFiles}
      >
        {attach}
      </MenuItem>
      {isTouch && (
        <MenuItem icon={<Camera aria-hidden />} onSelect={takePhoto}>
          {photo}
        </MenuItem>
      )}
    </>
  );
}

interface FileInputProps {
  readonly label: string;
  readonly ref: Ref<HTMLInputElement>;
  readonly capture?: "environment";
  readonly onFiles: (files: readonly File[]) => void;
}

function FileInput({ label, ref, capture, onFiles }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      aria-label={label}
      {...(capture ? { capture, accept: "image/*" } : { multiple: true })}
      onChange={({ target }) => {
        onFiles([...(target.files ?? [])]);
        // Choosing the same file again must fire a change event.
        target.value = "";
      }}
    />
  );
}
