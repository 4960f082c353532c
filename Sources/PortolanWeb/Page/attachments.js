// The attachments of a feature: pictures and documents are shown, all can be saved, new ones added.

import { upload, uploadLimit } from "./api.js";
import { h, newID } from "./dom.js";
import { bytes } from "./format.js";
import { icon } from "./icons.js";
import { announce, attempt, notify, showProblem } from "./notices.js";
import { showPictures } from "./picture-viewer.js";
import { t } from "./texts.js";

/// The section of a popup's selection; `onChange` receives the popups after a file was added.
export function attachmentsSection(selection, onChange) {
  const { attachments, canEdit } = selection;
  if (attachments.length === 0 && !canEdit) return null;
  const pictures = attachments.filter(isPicture);
  const files = attachments.filter((attachment) => !isPicture(attachment));
  return h(
    "section", { class: "attachments" }, h("h3", { text: t("popup.attachments") }),
    attachments.length === 0 ? h("p", { class: "hint", text: t("popup.noAttachments") }) : null,
    pictures.length ? h("ul", { class: "picture-list" }, pictures.map((picture, index) => pictureItem(picture, () => showPictures(pictures.map(shown), index)))) : null,
    files.length ? h("ul", { class: "file-list" }, files.map(fileItem)) : null,
    canEdit ? h("div", { class: "actions" },
      filePicker({ label: t("popup.attach"), iconName: "paperclip" }, selection, onChange),
      filePicker({ label: t("popup.camera"), iconName: "camera", isCamera: true }, selection, onChange))
      : null);
}

function isPicture({ contentType }) {
  return /^image\/(png|jpe?g|gif|webp)$/i.test(contentType ?? "");
}

/// Whether the browser has a viewer for it; the server decides again by what it really is.
function isDocument({ name }) {
  return /\.(pdf|txt|csv|md|log|json|xml)$/i.test(name ?? "");
}

function shown({ id, name, size }) {
  return { url: addressOf(id), name, size: bytes(size) };
}

function pictureItem({ id, name, size }, open) {
  const image = h("img", { src: addressOf(id), alt: "", loading: "lazy" });
  image.addEventListener("error", () => image.replaceWith(icon("paperclip")));
  return h("li", {}, h(
    "button", { type: "button", "aria-label": t("popup.open", { name }), onclick: open }, image,
    h("span", { class: "hint", text: [name, bytes(size)].filter(Boolean).join(" · ") })));
}

/// A document opens in a tab of its own, any other file is saved.
function fileItem(attachment) {
  const { id, name, size } = attachment;
  const way = isDocument(attachment)
    ? { target: "_blank", rel: "noopener", "aria-label": t("popup.open", { name }) }
    : { download: name };
  return h("li", {},
    h("a", { href: addressOf(id), ...way }, icon("paperclip"), h("span", { text: name })),
    h("span", { class: "hint", text: bytes(size) }));
}

/// Where the file of an attachment is.
function addressOf(id) {
  return `/api/attachments/${encodeURIComponent(id)}`;
}

/// A file input that looks like a button. Its label is its name for screen readers.
function filePicker({ label, iconName, isCamera = false }, selection, onChange) {
  const input = h("input", {
    type: "file", class: "visually-hidden", id: newID("file"), accept: isCamera ? "image/*" : null,
    capture: isCamera ? "environment" : null,
  });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    input.value = "";
    if (file) await attach(file, selection, onChange);
  });
  return h("span", { class: "file-picker" }, input,
    h("label", { for: input.id, class: "button" }, icon(iconName), h("span", { text: label })));
}

async function attach(file, { layerId, objectId }, onChange) {
  if (file.size > uploadLimit) {
    showProblem({ kind: "failure", message: t("popup.tooLarge", {
      name: file.name, size: bytes(file.size), limit: bytes(uploadLimit),
    }) });
    return;
  }
  announce(t("common.loading"));
  await attempt(async () => {
    const popups = await upload({ layer: layerId, objectID: objectId, file });
    notify(t("popup.attached", { name: file.name }));
    onChange(popups);
  });
}
