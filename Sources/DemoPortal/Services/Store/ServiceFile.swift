internal import Foundation

/// A file that a service has made for its clients to fetch.
struct ServiceFile: Sendable {
  var data: Data
  var contentType: String

  /// Changes whenever the contents do.
  var tag: String

  /// The download.
  func response(named name: String) -> DemoResponse {
    .download(.bytes(data), name: name, type: contentType, tag: tag)
  }
}
