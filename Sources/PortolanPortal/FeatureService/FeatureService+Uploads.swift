public import Foundation
internal import PortolanJSON
internal import PortolanTransport

extension FeatureService {
  /// Uploads a file, of which a later request makes use, `uploads/upload`.
  ///
  /// - Parameters:
  ///   - file: The contents.
  ///   - name: What the file is called there.
  /// - Returns: The id of the upload.
  /// - Throws: ``PortalError``.
  public func upload(_ file: Data, named name: String) async throws(PortalError) -> String {
    let address = url.appending(path: "uploads/upload").appending(queryItems: [
      URLQueryItem(name: "f", value: "json")
    ])
    let form = MultipartForm(file: MultipartForm.File(field: "file", name: name, contents: file))
    let json = try await client.json(sending: form.request(to: address))
    guard let id = json["item"]?["itemID"]?.string ?? json["item"]?["itemId"]?.string else {
      throw .unexpected(url.withoutSecrets, reason: "the upload has no id")
    }
    return id
  }
}
