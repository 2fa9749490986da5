"use client";

import { useEffect, useState } from "react";
import { usePageSettled } from "./page-phase";
import { preloadable } from "./preloadable";
import type { SheetProps } from "./sheet-panel";
import { useBackCloses } from "./use-back-closes";
import { useMediaQuery, wideQuery } from "./use-media-query";

const panel = preloadable(() => import("./sheet-panel").then((part) => part.SheetPanel));

export function Sheet(props: SheetProps) {
  const { open, onClose } = props;
  const isWide = useMediaQuery(wideQuery);
  const isSettled = usePageSettled();
  const [wasOpen, setWasOpen] = useState(open);
  if (open && !wasOpen) setWasOpen(true);
  useBackCloses(open, onClose);
  useEffect(() => {
    if (isSettled && !isWide) void panel.preload();
  }, [isSettled, isWide]);
  return wasOpen && <panel.Component {...props} />;
}
