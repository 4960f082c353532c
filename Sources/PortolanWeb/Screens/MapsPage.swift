internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

/// The content of the list of maps at a moment.
///
/// It may be long, so that it is written away from the main actor.
struct MapsPage: Sendable {
  /// The maps; `nil` before they were read.
  var list: MapListModel.State?
  /// The maps in the trash.
  var deleted: [StorageUsage.Map]
  /// The jobs that work on maps.
  var work: JobListModel.State?
  /// The reason why the content of this device could not be read.
  var problem: Problem?

  var json: JSONValue {
    let updates = Dictionary(
      (list?.updates ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let jobs = Dictionary(
      (work?.jobs ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return [
      "items": .array(
        (list?.items ?? []).map { item in
          let job = item.transfer.flatMap { jobs[$0.job] }
          return item.pageJSON(
            transfer: job.map { $0.json(pace: work?.paces[$0.id]) }, update: updates[item.id])
        }),
      "deleted": .array(deleted.map { ["id": .string($0.id), "title": .string($0.title)] }),
      "banner": (problem ?? list?.banner)?.json ?? .null,
      "isRefreshing": .bool(list?.isRefreshing ?? false),
    ]
  }
}
