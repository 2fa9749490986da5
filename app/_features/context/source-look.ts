import type { GaugeSegment } from "./gauge-view";

export const sourceLooks: Record<GaugeSegment["source"], { name: string; fill: string }> = {
  prompt: { name: "Prompt", fill: "bg-ink/65" },
  skills: { name: "Loaded skills", fill: "bg-warn-fill" },
  tools: { name: "Tools", fill: "bg-edge" },
  summaries: { name: "Summaries", fill: "bg-accent/45" },
  messages: { name: "Messages", fill: "bg-accent" },
  free: { name: "Free", fill: "bg-line" },
};
