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
    let boundary = "portolan-4f1c2e9a7b3d48569f0e6a1d2c3b4a59"
    var body = Data()
    body += Data(
      """
      --\(boundary)\r\nContent-Disposition: form-data; name="file"; filename="\(name)"\r
      Content-Type: application/octet-stream\r\n\r\n
      """.utf8)
    body += file
    body += Data("\r\n--\(boundary)--\r\n".utf8)
    let request = HTTPRequest(
      url.appending(path: "uploads/upload").appending(queryItems: [
        URLQueryItem(name: "f", value: "json")
      ]), method: .post,
      headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"], body: .bytes(body))
    let json = try await client.json(sending: request)
    guard let id = json["item"]?["itemID"]?.string ?? json["item"]?["itemId"]?.string else {
      throw .unexpected(url.withoutSecrets, reason: "the upload has no id")
    }
    return id
  }
}
