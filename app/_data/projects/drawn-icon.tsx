"use client";

import {
  BookOpen,
  Briefcase,
  Calculator,
  Compass,
  House,
  type LucideIcon,
  Microscope,
  Music,
  Palette,
  PenLine,
  Sprout,
  Volleyball,
  Wrench,
} from "lucide-react";
import type { ProjectIconName } from "@/lib/chat/wire/projects";

interface Drawing {
  readonly label: string;
  readonly Icon: LucideIcon;
  /** Stored for the same choice by versions that showed emoji. */
  readonly emoji: string;
}

export const drawings: Readonly<Record<ProjectIconName, Drawing>> = {
  sprout: { label: "Plant", Icon: Sprout, emoji: "🌱" },
  "book-open": { label: "Books", Icon: BookOpen, emoji: "📚" },
  "pen-line": { label: "Writing", Icon: PenLine, emoji: "✍️" },
  microscope: { label: "Research", Icon: Microscope, emoji: "🔬" },
  calculator: { label: "Numbers", Icon: Calculator, emoji: "🧮" },
  wrench: { label: "Tools", Icon: Wrench, emoji: "🛠️" },
  palette: { label: "Art", Icon: Palette, emoji: "🎨" },
  music: { label: "Music", Icon: Music, emoji: "🎵" },
  house: { label: "Home", Icon: House, emoji: "🏠" },
  compass: { label: "Travel", Icon: Compass, emoji: "🧭" },
  volleyball: { label: "Sport", Icon: Volleyball, emoji: "⚽" },
  briefcase: { label: "Work", Icon: Briefcase, emoji: "💼" },
};

/** An emoji that no drawing replaces stays. */
export function iconName(icon: string): string {
  const found = Object.entries(drawings).find(([, { emoji }]) => emoji === icon);
  return found?.[0] ?? icon;
}

export function DrawnIcon({ icon }: { icon: string }) {
  const drawing = Object.entries(drawings).find(([name]) => name === iconName(icon))?.[1];
  return drawing ? <drawing.Icon className="size-full" /> : icon;
}
