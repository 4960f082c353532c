internal import Foundation
internal import PortolanApp
internal import PortolanJSON

extension WebMapModel {
  /// The web map as a page reads it: of layers that want a sign-in with the server that wants it.
  func pageJSON(of contents: Contents) -> JSONValue {
    var members = contents.json.object ?? [:]
    let layers = members["layers"]?.array ?? []
    members["layers"] = .array(
      zip(contents.layers, layers).map { row, layer in
        var members = layer.object ?? [:]
        members["server"] = JSONValue(signInServer(of: row.id)?.absoluteString)
        return .object(members)
      })
    return .object(members)
  }
}
