// The progress of a job: a bar, what it does, how fast, and the time left.

import { h, setText } from "./dom.js";
import { bytes, percent, rate, timeLeft, timeUntil } from "./format.js";
import { announce } from "./notices.js";
import { t, textOr } from "./texts.js";

/// Returns { element, update(transfer) }.
export function createTransferView() {
  const bar = h("progress", { max: "1" });
  const state = h("span", { class: "transfer-state" });
  const share = h("span", { class: "transfer-share" });
  const text = h("p", { class: "transfer-text" });
  const figures = h("p", { class: "transfer-figures" });
  const element = h(
    "div", { class: "transfer" }, h("div", { class: "transfer-head" }, state, share), bar, text,
    figures);
  let lastState = null;
  let countdown = 0;

  function update(transfer) {
    clearTimeout(countdown);
    const { fraction } = transfer.progress;
    element.dataset.state = transfer.state;
    bar.setAttribute("aria-label", t("job.progress", { title: transfer.title }));
    if (fraction === null) bar.removeAttribute("value");
    else bar.value = fraction;
    // What is over needs no bar.
    const isOver = ["done", "cancelled"].includes(transfer.state);
    bar.hidden = isOver || (fraction === null && transfer.state !== "running");
    setText(state, stateName(transfer.state));
    setText(share, isOver || fraction === null ? "" : percent(fraction));
    const words = jobText(transfer);
    setText(text, words);
    text.hidden = !words;
    const parts = figuresOf(transfer);
    setText(figures, parts.join(" · "));
    figures.hidden = parts.length === 0;
    // How long a host is still waited for changes by itself.
    if (transfer.hostWait) {
      countdown = setTimeout(() => element.isConnected && update(transfer), 1000);
    }
    if (lastState && lastState !== transfer.state) {
      const news = words || stateName(transfer.state);
      announce(t("job.announce", { title: transfer.title, text: news }));
    }
    lastState = transfer.state;
  }

  return { element, update };
}

/// What a job does or waits for, in a sentence; empty where the name of its state says it.
export function jobText(job) {
  const { state, kind, waitingFor, ahead, host, missingBytes, attempt, failure, hostWait } = job;
  if (hostWait) return hostWaitText(hostWait);
  if (state === "running") {
    return t(kind === "sync-offline-map" ? "job.synchronizing" : "job.downloading");
  }
  if (state === "failed") return failure?.message ?? "";
  switch (state === "waiting" ? waitingFor : null) {
    case "slot": return ahead > 0 ? t("job.waitsForOthers", { count: ahead }) : t("job.waitsForTurn");
    case "network": return t("job.waitsForNetwork");
    case "sign-in": return t("job.waitsForSignIn", { host });
    case "space": return t("job.waitsForSpace", { size: bytes(missingBytes) });
    case "editing": return t("job.waitsForEditing");
    case "retry": return t("job.waitsToRetry", { attempt });
    default: return "";
  }
}

/// That requests wait for a host, and how long still.
export function hostWaitText({ host, until }) {
  return t("job.waitsForHost", { host, duration: timeUntil(until) });
}

/// The name of a job's state for people.
export function stateName(state) {
  return textOr(`job.${state}`, state);
}

function figuresOf({ state, progress, pace, hostWait, worker }) {
  const { bytes: done, totalBytes } = progress;
  const parts = [];
  if (done) {
    parts.push(totalBytes && state !== "done"
      ? t("job.bytesOf", { done: bytes(done), total: bytes(totalBytes) }) : bytes(done));
  }
  // Another process, which this page can stop, too.
  if (worker) parts.push(t("job.workedOnBy", { worker }));
  if (state !== "running" || hostWait) return parts;
  if (pace?.bytesPerSecond) parts.push(rate(pace.bytesPerSecond));
  if (Number.isFinite(pace?.secondsLeft)) parts.push(timeLeft(pace.secondsLeft));
  return parts;
}
