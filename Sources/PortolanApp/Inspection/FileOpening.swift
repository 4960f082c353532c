public import Foundation

/// Opens files of any kind; the live one reads the disk, tests hand out what they made.
public protocol FileOpening: Sendable {
  /// Opens what is at `url`.
  ///
  /// - Throws: ``InspectionError`` if there is nothing or nothing known, else the error of the
  ///   module that reads the kind of file.
  @concurrent func open(_ url: URL) async throws -> OpenedFile

  /// Opens what is at `url` to use what it holds, which its author may forbid after a date.
  ///
  /// - Throws: As ``open(_:)``, and `PackageError.expired(title:on:message:)`.
  @concurrent func openToUse(_ url: URL) async throws -> OpenedFile
}

extension FileOpening {
  /// Opens it as to look at it: there is nothing that expires.
  @concurrent public func openToUse(_ url: URL) async throws -> OpenedFile { try await open(url) }
}
