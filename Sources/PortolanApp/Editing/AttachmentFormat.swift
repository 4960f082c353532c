/// The media type of an attached file, by its file extension.
public enum AttachmentFormat {
  /// The media type of files whose names do not give one.
  public static let unknown = "application/octet-stream"

  /// The media type of a file; ``unknown`` for names that say nothing.
  public static func mediaType(ofFileNamed name: String) -> String {
    let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return types[suffix] ?? unknown
  }

  /// Whether the desktop may open a file of that name: pictures, documents, sounds and films, and
  /// nothing that may run as a program or a script.
  public static func canBeOpened(fileNamed name: String) -> Bool {
    let type = mediaType(ofFileNamed: name)
    let documents: Set = ["application/pdf", "text/plain", "text/csv"]
    return documents.contains(type)
      || ["image/", "audio/", "video/"].contains(where: type.hasPrefix) && type != "image/svg+xml"
  }

  private static let types = [
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif",
    "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp", "heic": "image/heic",
    "bmp": "image/bmp", "svg": "image/svg+xml", "pdf": "application/pdf", "txt": "text/plain",
    "csv": "text/csv", "json": "application/json", "xml": "application/xml",
    "zip": "application/zip", "mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav",
    "mp4": "video/mp4", "mov": "video/quicktime", "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ]
}
