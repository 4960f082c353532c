internal import Foundation
internal import PortolanApp
internal import PortolanJSON

extension WatchedFolderModel {
  /// The folder as a page reads it: where it is, what can be taken, why it cannot be read.
  var pageJSON: JSONValue {
    [
      "folder": .string(folder.path(percentEncoded: false)),
      "offers": .array(
        state.offers.map { offer in
          [
            "id": .string(offer.id), "name": .string(offer.name),
            "bytes": JSONValue(offer.byteCount),
          ]
        }), "problem": state.problem?.json ?? .null,
    ]
  }
}
