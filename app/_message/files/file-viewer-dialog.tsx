"use client";

import dynamic from "next/dynamic";

/** Loaded when a file is opened. */
export const FileViewer = dynamic(() => import("./file-viewer").then((part) => part.FileViewer));
