// Sends actions to Portolan and turns what goes wrong into problems that can be shown.

import { t } from "./texts.js";

/// What went wrong, as sentences for people, with what they can do about it.
export class Problem extends Error {
  constructor({ message, suggestion = null, kind = "failure", code = null, actions = [] }) {
    super(message);
    Object.assign(this, { suggestion, kind, code, actions });
  }
}

/// Performs an action, `POST /api/NAME`, and returns its answer.
export async function post(name, body = {}, { signal } = {}) {
  return send(`/api/${name}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    signal,
  });
}

/// The most bytes of an attachment that Portolan accepts.
export const uploadLimit = 32 * 1024 * 1024;

/// Attaches a file to a feature, in the place of `attachment` if one is given, and returns the popups
/// as they are then.
export async function upload({ layer, objectID, file, opening, question, attachment = null }) {
  const query = new URLSearchParams({
    layer, objectID: String(objectID), name: file.name, opening: String(opening), question: String(question),
  });
  if (attachment !== null) query.set("attachment", String(attachment));
  return send(`/api/map/attach?${query}`, {
    method: "POST", headers: { "Content-Type": file.type || "application/octet-stream" },
    body: await bytesOf(file, 0, file.size),
  });
}

/// How much of a file is sent at a time, in bytes.
const pieceSize = 8 * 1024 * 1024;

/// Sends a file that is to be brought in, piece by piece, and returns what to ask for it by. `onProgress` is told which
/// part of it has arrived.
export async function sendFile(file, onProgress = () => {}) {
  if (file.size === 0) throw new Problem({ message: t("problem.emptyFile", { name: file.name }) });
  const id = crypto.randomUUID();
  for (let offset = 0; offset < file.size; offset += pieceSize) {
    const query = new URLSearchParams({
      upload: id, name: file.name, size: String(file.size), offset: String(offset),
    });
    await send(`/api/maps/import-piece?${query}`, {
      method: "POST", headers: { "Content-Type": "application/octet-stream" },
      body: await bytesOf(file, offset, offset + pieceSize),
    });
    onProgress(Math.min(1, (offset + pieceSize) / file.size));
  }
  return id;
}

/// A part of a file. What cannot be read, such as a folder that was dropped, would look as if Portolan did not answer.
async function bytesOf(file, start, end) {
  try {
    return await file.slice(start, end).arrayBuffer();
  } catch {
    throw new Problem({
      message: t("problem.unreadableFile", { name: file.name }), suggestion: t("problem.unreadableFileSuggestion"),
    });
  }
}

/// Has a file made by an action, and lets the browser save it. Returns its name.
export async function saveFile(action, parameters) {
  const { download, name } = await post(action, parameters);
  const link = document.createElement("a");
  link.href = `/api/downloads/${encodeURIComponent(download)}`;
  link.download = name;
  link.click();
  return name;
}

async function send(address, request) {
  const response = await answer(address, request);
  const content = await json(response);
  if (response.ok) return content ?? {};
  if (content?.problem) throw new Problem(content.problem);
  throw new Problem({ message: t("problem.unexpected", { status: response.status }) });
}

async function answer(address, request) {
  try {
    return await fetch(address, { credentials: "same-origin", cache: "no-store", ...request });
  } catch (error) {
    if (error.name === "AbortError") {
      throw new Problem({ message: t("problem.cancelled"), kind: "cancellation" });
    }
    throw new Problem({
      message: t("problem.notRunning"), suggestion: t("problem.notRunningSuggestion"),
      kind: "network", code: "not-running", actions: [{ kind: "retry" }],
    });
  }
}

/// The body as JSON; `null` where it is none, which an error page of a proxy would be.
async function json(response) {
  try {
    return await response.json();
  } catch {
    return null;
  }
}
