internal import Foundation

/// The files of one download, from its first attempt to its last.
struct DownloadSession: Sendable {
  let part: PartFile
  let recordFile: DownloadRecordFile
  let digest: (any DownloadDigest)?
  /// The record of the bytes in the part; `nil` if they cannot be used.
  private(set) var record: DownloadRecord?
  /// How many of them there are.
  private(set) var offset = 0
  /// How many of them an earlier download has left.
  private(set) var resumedFrom = 0

  /// Opens the part beside `destination`, and takes up what `request` can continue with.
  init(
    for request: HTTPRequest, to destination: URL, digest: (any DownloadDigest)?
  ) throws(TransportError) {
    part = try PartFile(at: Self.partURL(of: destination))
    recordFile = DownloadRecordFile(url: Self.recordURL(of: destination))
    self.digest = digest
    let size = try part.size()
    guard let record = recordFile.read(), record.validator != nil, record.isAbout(request),
      size > 0, size <= record.total ?? .max
    else {
      try startOver()
      return
    }
    self.record = record
    offset = size
    resumedFrom = size
    try part.read(upTo: digest == nil ? 0 : size) { digest?.update($0) }
  }

  static func partURL(of destination: URL) -> URL { destination.appendingPathExtension("part") }

  static func recordURL(of destination: URL) -> URL {
    partURL(of: destination).appendingPathExtension("json")
  }

  /// Whether all bytes are there.
  var isComplete: Bool { record?.total == offset && offset > 0 }

  /// The session after an attempt that received bytes.
  func holding(_ sink: DownloadSink) -> DownloadSession {
    var next = self
    next.record = sink.record
    next.offset = sink.position
    next.resumedFrom = sink.resumedFrom
    return next
  }

  /// The session for the attempt after an incomplete one.
  func following(_ sink: DownloadSink) throws(TransportError) -> DownloadSession {
    var next = holding(sink)
    if sink.verdict == .misfit || next.record?.validator == nil { try next.startOver() }
    return next
  }

  private mutating func startOver() throws(TransportError) {
    record = nil
    offset = 0
    resumedFrom = 0
    digest?.reset()
    try part.truncate(to: 0)
  }

  /// The request for what is missing.
  ///
  /// Bytes must have no content coding: offsets in a compressed body are others.
  func request(from original: HTTPRequest) -> HTTPRequest {
    var request = original
    request.headers["Accept-Encoding"] = "identity"
    guard offset > 0, let validator = record?.validator else { return request }
    request.headers["Range"] = "bytes=\(offset)-"
    request.headers["If-Range"] = validator
    return request
  }

  /// Puts the whole file in its place.
  func place(at destination: URL) throws(TransportError) -> DownloadedFile {
    try part.commit(to: destination)
    try recordFile.remove()
    return DownloadedFile(
      url: destination, byteCount: offset, resumedFrom: resumedFrom, digest: digest?.finish(),
      entityTag: record?.entityTag, lastModified: record?.lastModified)
  }
}
