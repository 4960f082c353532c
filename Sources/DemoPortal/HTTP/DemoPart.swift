public import Foundation

/// A file in a form (`multipart/form-data`).
public struct DemoPart: Sendable {
  /// The field's name.
  public var name: String

  /// The file's name as the client gave it; never a path to write to.
  public var fileName: String

  /// The media type as the client gave it.
  public var contentType: String?

  /// The file's bytes.
  public var body: Data

  /// Creates a part.
  public init(name: String, fileName: String, contentType: String? = nil, body: Data) {
    self.name = name
    self.fileName = fileName
    self.contentType = contentType
    self.body = body
  }
}
