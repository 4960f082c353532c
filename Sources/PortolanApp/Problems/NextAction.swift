internal import Foundation

/// An action of the user against a problem, for a shell to offer in its own way: as a command, as a
/// button.
public struct NextAction: Hashable, Sendable, Codable {
  /// The kind of an action.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Sign in; the subject is the host that asks for it.
    case signIn
    /// Sign in on a page of the browser instead of with user name and password.
    case signInWithBrowser
    /// Sign in with a code that is copied from a browser elsewhere.
    case signInWithCode
    /// Load a layer again with an account that may see it.
    case retryLayer
    /// Use the map without a layer.
    case skipLayer
    /// Do the same again.
    case retry
    /// Connect to a network.
    case goOnline
    /// Delete what is not needed.
    case freeSpace
    /// Send edits to their service; the subject is the id of the map.
    case sendEdits
    /// Discard edits that were not sent; the subject is the id of the map.
    case discardEdits
    /// Restore the version of a map before its last update; the subject is its title.
    case rollBack
    /// Export a map to keep its edits in the file; the subject is its title.
    case exportMap
    /// Export a damaged map for the edits in it; the subject is its title.
    case exportDamaged
    /// Choose another name.
    case chooseAnotherName
    /// Replace what is there; the subject is the id of an item of a portal, if it is one.
    case replace
    /// Choose one of several layers.
    case chooseLayer
    /// Look at what a file holds.
    case inspect
    /// Look at the fields of a table.
    case listFields
    /// Look for features.
    case findFeatures
    /// Look at what is under a place of the map.
    case identify
    /// Open a file; the subject is its name, if it is a certain one.
    case openFile
    /// Import the tiles of a file as a region.
    case importTiles
    /// Read the features of a file.
    case readFeatures
    /// Open a popup.
    case openPopup
    /// Load a web map.
    case loadWebMap
    /// Look at the layers of the web map.
    case listLayers
    /// Look at the areas of a web map; the subject is its id.
    case listAreas
    /// Download a map; the subject is the id of its row.
    case download
    /// Look at the maps on this device.
    case listMaps
    /// Look at the jobs.
    case listJobs
    /// Look at what was deleted and can be restored.
    case listDeleted
    /// Look at what was set aside with its edits.
    case listKept
    /// Look for web maps at the portal.
    case findWebMaps
    /// Change a setting; the subject is its key.
    case changeSetting
    /// Use another home folder.
    case chooseAnotherHome
    /// Repair what is on this device.
    case repair
    /// Look at the regions of tiles.
    case listTileRegions
    /// Look at the sources of tiles.
    case listTileSources
    /// Say that the operator of a source of tiles allows to download regions; the subject is its name.
    case allowRegions
    /// Unpack the package into a folder, and edit there; the subject is its file.
    case unpack
    /// Export the map, unpack the copy into a folder, and edit there; the subject is its title.
    case unpackCopy
  }

  /// The kind of an action.
  public var kind: Kind
  /// The subject of the action, such as a host or the id of a map.
  public var subject: String?

  /// Creates an action.
  public init(_ kind: Kind, _ subject: String? = nil) {
    self.kind = kind
    self.subject = subject
  }
}

extension NextAction.Kind {
  /// The action as a sentence, for shells that offer nothing better.
  public var sentence: String {
    switch self {
    case .signIn: "Sign in."
    case .signInWithBrowser: "Sign in with the browser."
    case .signInWithCode: "Sign in with a code from the browser."
    case .retryLayer: "Load the layer with an account that may see it."
    case .skipLayer: "Leave the layer out."
    case .retry: "Try again."
    case .goOnline: "Connect to a network; what is stored here can be used."
    case .freeSpace: "Free some space."
    case .sendEdits: "Send the edits to their service."
    case .discardEdits: "Discard the edits."
    case .rollBack: "Restore that version to send, export or undo them."
    case .exportMap: "Export the map to keep them."
    case .exportDamaged: "Export it as it is."
    case .chooseAnotherName: "Choose another name."
    case .replace: "Replace it."
    case .chooseLayer: "Choose a layer."
    case .inspect: "Check what the file contains."
    case .listFields: "Look at the fields of the table."
    case .findFeatures: "Look for the feature again."
    case .identify: "Find features first."
    case .openFile: "Open a file."
    case .importTiles: "Import the tiles of the file as a region."
    case .readFeatures: "Read the features of the file."
    case .openPopup: "Open a popup."
    case .loadWebMap: "Load a web map."
    case .listLayers: "Check the list of layers."
    case .listAreas: "Check the areas of the web map."
    case .download: "Download it first."
    case .listMaps: "Check the list of maps."
    case .listJobs: "Check the list of jobs."
    case .listDeleted: "Check what was deleted and can be restored."
    case .listKept: "Check the list of what was set aside."
    case .findWebMaps: "Look for web maps at the portal."
    case .changeSetting: "Change the setting."
    case .chooseAnotherHome: "Choose another home folder."
    case .repair: "Audit the library, and repair what it finds."
    case .listTileRegions: "List the regions to see their names."
    case .listTileSources: "List the sources to see their names."
    case .allowRegions: "If its operator allows regions, say so."
    case .unpack: "Unpack the package into a folder, and edit there."
    case .unpackCopy: "Export the map, unpack the copy into a folder, and edit there."
    }
  }
}

extension Problem {
  /// The advice, with the actions in a shell's own words.
  ///
  /// - Parameter word: The sentence of a shell for an action; `nil` where it has none.
  /// - Returns: The suggestion, in which the shell's sentences take the place of the general ones;
  ///   those of actions that it does not speak of follow it. `nil` if there is nothing to do.
  public func advice(wording word: (NextAction) -> String?) -> String? {
    var text = suggestion ?? ""
    for action in actions {
      guard let sentence = word(action) else { continue }
      let general = action.kind.sentence
      if let place = text.range(of: general) {
        text.replaceSubrange(place, with: sentence)
      } else if let place = text.range(of: general, options: .caseInsensitive) {
        // The advice is the end of a longer sentence.
        text.replaceSubrange(place, with: sentence.prefix(1).lowercased() + sentence.dropFirst())
      } else if text.range(of: general.dropLast(), options: .caseInsensitive) == nil {
        text += text.isEmpty ? sentence : " \(sentence)"
      }
    }
    return text.isEmpty ? nil : text
  }
}
