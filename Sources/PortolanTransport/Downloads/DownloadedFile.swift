public import Foundation

/// A file that has arrived whole and is on the disk.
public struct DownloadedFile: Hashable, Sendable {
  /// The location of the file.
  public var url: URL
  /// How many bytes it has.
  public var byteCount: Int
  /// Bytes that were there from an earlier attempt.
  public var resumedFrom: Int
  /// Its digest, if one was requested.
  public var digest: [UInt8]?
  /// Its strong entity tag, quotes included, if the server gave one.
  public var entityTag: String?
  /// When it was last changed, in the server's words, if it gave a date.
  public var lastModified: String?
}

/// The result of a download.
public enum DownloadOutcome: Hashable, Sendable {
  /// The file is there.
  case file(DownloadedFile)
  /// The server answered with something else: an error, a sign-in page; at most 1 MB of its body.
  ///
  /// What had arrived before stays, to be resumed.
  case refused(HTTPResponse)
}
