// The live log in a browser: one list item per line. The browser reconnects by itself, and gets what it missed.

const lines = document.getElementById("lines");
const state = document.getElementById("state");
const events = new EventSource("events");

const show = (text: string) => {
  if (state) state.textContent = text;
};

events.onopen = () => show("Live.");
events.onerror = () => show("The bot has stopped. This page continues when you start it again.");
events.onmessage = ({ data }: MessageEvent<string>) => {
  const { at, level, text } = JSON.parse(data) as { at: number; level: string; text: string };
  const item = document.createElement("li");
  const time = document.createElement("time");
  time.dateTime = new Date(at).toISOString();
  time.textContent = new Date(at).toLocaleTimeString();
  item.className = level;
  item.append(time, text);
  lines?.append(item);
};
