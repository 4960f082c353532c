public import Foundation
internal import PortolanPackages

extension AppModel {
  /// Unpacks a mobile map package into a folder, where its features can be edited.
  ///
  /// - Parameters:
  ///   - file: The package, which stays as it is.
  ///   - folder: The folder to make; nothing but an empty folder may be there.
  ///   - progress: Gets reports of how far it is.
  /// - Returns: What was unpacked.
  /// - Throws: A problem if it is no package, has expired, or cannot be read or written; there is no
  ///   folder then.
  public func unpack(
    _ file: URL, to folder: URL, progress: AsyncStream<WorkProgress>.Continuation? = nil
  ) async throws(Problem) -> UnpackedPackage {
    defer { progress?.finish() }
    do {
      // One that has expired is as little to be unpacked as to be opened.
      let package = try await opener.open(file)
      let result = try await PackageUnpacker().unpack(file, to: folder) { done, total in
        progress?.yield(
          WorkProgress(
            part: file.lastPathComponent, unit: .files, completed: done, total: total))
      }
      return UnpackedPackage(
        title: package.info.title, folder: folder.path(percentEncoded: false),
        fileCount: result.fileCount, byteCount: result.byteCount)
    } catch {
      throw Problem(error)
    }
  }
}
