"use client";

import { Component, type ReactNode } from "react";

export function PlainText({ text }: { text: string }) {
  return (
    <div dir="auto" className="wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">
      {text}
    </div>
  );
}

interface MarkdownBoundaryProps {
  readonly text: string;
  readonly children: ReactNode;
}

interface MarkdownBoundaryState {
  readonly text: string;
  readonly failed: boolean;
}

export class MarkdownBoundary extends Component<MarkdownBoundaryProps, MarkdownBoundaryState> {
  override state: MarkdownBoundaryState = { text: this.props.text, failed: false };

  static getDerivedStateFromError(): Partial<MarkdownBoundaryState> {
    return { failed: true };
  }

  static getDerivedStateFromProps(
    { text }: MarkdownBoundaryProps,
    state: MarkdownBoundaryState,
  ): MarkdownBoundaryState | null {
    return text === state.text ? null : { text, failed: false };
  }

  override render(): ReactNode {
    return this.state.failed ? <PlainText text={this.props.text} /> : this.props.children;
  }
}
