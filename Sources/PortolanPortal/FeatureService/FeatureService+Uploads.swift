public import Foundation
internal import PortolanJSON
internal import PortolanTransport

extension FeatureService {
  /// Uploads a file, of which a later request makes use, `uploads/upload`.
  ///
  /// The request is written beside the file and read from there while it is sent, so that nothing of a
  /// large file is held in memory.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - name: What the file is called there.
  /// - Returns: The id of the upload.
  /// - Throws: ``PortalError``.
  public func upload(_ file: URL, named name: String) async throws(PortalError) -> String {
    let address = url.appending(path: "uploads/upload").appending(queryItems: [
      URLQueryItem(name: "f", value: "json")
    ])
    let form = MultipartForm(file: MultipartForm.File(field: "file", name: name))
    let written = file.appendingPathExtension("request")
    // It is not needed afterwards, and lies where the file does.
    defer { try? FileManager.default.removeItem(at: written) }
    do { try form.write(contentsOf: file, to: written) } catch CocoaError.fileWriteOutOfSpace {
      throw PortalError(TransportError.diskFull(file: written.lastPathComponent, needed: nil))
    } catch {
      throw PortalError(
        TransportError.storage(
          file: written.lastPathComponent, reason: error.localizedDescription))
    }
    let json = try await client.json(sending: form.request(to: address, writtenTo: written))
    guard let id = json["item"]?["itemID"]?.string ?? json["item"]?["itemId"]?.string else {
      throw .unexpected(url.withoutSecrets, reason: "the upload has no id")
    }
    return id
  }

  /// Removes an upload that no request makes use of any more, `uploads/{id}/delete`.
  ///
  /// It is asked for once, for ten seconds at most: services remove uploads by themselves after a while.
  ///
  /// - Parameter id: The id of the upload.
  /// - Throws: ``PortalError``; also ``PortalError/unexpected(_:reason:)`` for an id that is none, before
  ///   anything is asked for.
  public func deleteUpload(_ id: String) async throws(PortalError) {
    // It comes from the service, and must not lead to another of its addresses.
    guard !id.isEmpty, id.allSatisfy({ $0.isLetter || $0.isNumber || "-_{}".contains($0) }) else {
      throw .unexpected(url.withoutSecrets, reason: "the id of the upload is none")
    }
    _ = try await client.post(url.appending(path: "uploads/\(id)/delete"), within: .seconds(10))
  }
}
