internal import PortolanFeatures

/// Features of a layer that a file has been given and cannot hold, with their attachments.
struct WithheldRows: Sendable {
  fileprivate(set) var features: [Feature] = []
  fileprivate(set) var files: [GeodatabaseDelta.File] = []
  /// Which features they are, as keys.
  fileprivate(set) var ids: Set<String> = []
}

extension GeodatabaseSync {
  /// What the file cannot hold, by layer; without features that came incomplete.
  func withheldRows() throws(FeatureEditError) -> [Int: WithheldRows] {
    var rows: [Int: WithheldRows] = [:]
    for issue in try store.all() where issue.isAboutWithheldFeature && issue.isIncomplete != true {
      guard let feature = issue.withheld else { continue }
      rows[issue.layerID, default: WithheldRows()].features.append(feature)
      rows[issue.layerID]?.ids.insert(issue.globalID.plainID)
    }
    for entry in try store.withheldFiles() {
      guard rows[entry.layerID]?.ids.contains(entry.parent.plainID) == true,
        let file = try store.withheldFile(entry)
      else { continue }
      rows[entry.layerID]?.files.append(file)
    }
    return rows
  }
}

extension GeodatabaseDelta.Layer {
  /// Adds what a new replica cannot hold: it is at the service all the same, and this file is to try it itself.
  mutating func add(_ waiting: WithheldRows) {
    adds.removeAll {
      $0.attributes.globalID(schema).map { waiting.ids.contains($0.plainID) } ?? false
    }
    updates.removeAll {
      $0.attributes.globalID(schema).map { waiting.ids.contains($0.plainID) } ?? false
    }
    updates += waiting.features
    deletes.removeAll { waiting.ids.contains($0.plainID) }
    addedFiles += waiting.files
    let files = Set(waiting.files.compactMap { $0.attachment.globalID?.plainID })
    deletedFiles.removeAll { files.contains($0.plainID) }
  }
}
