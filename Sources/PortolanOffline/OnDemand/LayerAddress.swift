internal import Foundation

/// The address of a layer as a map has it, split into its service and the number of the layer.
///
/// Any text can be one: what is no address on the web fails when the service is asked.
struct LayerAddress: Hashable {
  let service: String
  /// The number of the layer; `nil` for a service as a whole.
  let layerID: Int?

  init(_ address: String) {
    var text = address
    if let query = text.firstIndex(where: { "?#".contains($0) }) { text.removeSubrange(query...) }
    while text.hasSuffix("/") { text.removeLast() }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if let last = parts.last, let number = Int(last), number >= 0 {
      layerID = number
      service = parts.dropLast().joined(separator: "/")
    } else {
      layerID = nil
      service = text
    }
  }

  /// The service as servers compare addresses.
  var name: String { ServiceName(service).text }

  /// The service's URL; `nil` if the text is none.
  var url: URL? { URL(string: service) }
}
