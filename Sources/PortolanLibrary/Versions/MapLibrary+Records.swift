internal import Foundation
internal import PortolanFiles

// What is recorded of versions is kept in files as well: of what the maps themselves say, a catalogue
// that has to be made anew would have neither titles of their own, nor what is missing in them, nor the
// portal that has newer ones.
extension MapLibrary {
  /// Keeps what was recorded of a version.
  func noteRecord(of map: StoredMap) {
    guard map.version > 0 else { return }
    do {
      try files.createFolder(layout.records, permissions: 0o700)
      try files.write(
        JSONEncoder().encode(map), to: layout.recordFile(of: map.version, of: map.id.text),
        permissions: 0o600)
    } catch {
      // The catalogue has it.
    }
  }

  /// Keeps what was recorded by a Portolan that did not keep it, or while the disk was full.
  func noteMissingRecords() async throws(LibraryError) {
    for map in try await storage.storedMaps() where map.deleted == nil {
      // A process died before it had restored the version before, or right after it had restored this one.
      forgetTakenBack(map)
      guard !files.exists(layout.recordFile(of: map.version, of: map.id.text)) else { continue }
      noteRecord(of: map)
    }
  }

  /// Notes that a version is about to be the current one no more although it is the latest.
  func noteTakenBack(_ map: StoredMap) {
    guard map.version > 0 else { return }
    do {
      try files.createFolder(layout.records, permissions: 0o700)
      try files.write(
        Data(), to: layout.takenBackMark(of: map.version, of: map.id.text), permissions: 0o600)
    } catch {
      // The catalogue has it.
    }
  }

  /// Forgets that about a version which is the current one.
  func forgetTakenBack(_ map: StoredMap) {
    let mark = layout.takenBackMark(of: map.version, of: map.id.text)
    guard files.exists(mark) else { return }
    // The catalogue has it.
    try? files.erase(mark)
  }

  /// Forgets what was recorded of versions that are gone, as where a process died while it removed them.
  func removeStaleRecords() async throws(LibraryError) {
    // A catalogue that was made anew knows nothing yet.
    guard try await !storage.mayLackMaps() else { return }
    // A folder that cannot be listed is looked at the next time.
    let names = (try? files.names(in: layout.records)) ?? []
    guard !names.isEmpty else { return }
    let current = Set(try await storage.storedMaps().map { "\($0.id.text)-\($0.version)" })
    for name in names {
      guard let (id, number) = HomeLayout.version(ofRecord: name),
        !current.contains("\(id.text)-\(number)"),
        !layout.places(of: number, of: id).contains(where: files.exists)
      else { continue }
      forgetRecord(of: number, of: id)
    }
  }

  /// Forgets what was recorded of a version that is gone.
  func forgetRecord(of number: Int, of id: MapID) {
    for file in [
      layout.recordFile(of: number, of: id.text), layout.takenBackMark(of: number, of: id.text),
      layout.damageFile(of: number, of: id.text),
    ] {
      // What stays is about nothing.
      try? files.erase(file)
    }
  }

  /// Forgets what was recorded of a map that is gone.
  func forgetRecords(of id: MapID) {
    // Likewise.
    for name in (try? files.names(in: layout.records)) ?? [] {
      guard let record = HomeLayout.version(ofRecord: name), record.id == id else { continue }
      forgetRecord(of: record.number, of: id)
    }
  }
}

extension HomeLayout {
  /// Where what is recorded of versions is kept a second time.
  var records: URL { home.appending(path: "records", directoryHint: .isDirectory) }

  func recordFile(of number: Int, of id: String) -> URL {
    records.appending(path: "\(id)-\(number).json")
  }

  private static let takenBackExtension = "taken-back"

  /// Says that a version is not the current one although it is the latest, since the one before was restored.
  func takenBackMark(of number: Int, of id: String) -> URL {
    records.appending(path: "\(id)-\(number).\(Self.takenBackExtension)")
  }

  /// Says the same in a folder of versions that was set aside.
  static func keptMark(of number: Int, in container: URL) -> URL {
    container.appending(path: ".\(number).\(takenBackExtension)")
  }

  /// What was recorded of a version, in a folder of versions that was set aside.
  static func keptRecord(of number: Int, in container: URL) -> URL {
    container.appending(path: ".\(number).json")
  }

  private static let filesExtension = "files"

  /// What the files of a version were when it was installed, in a folder of versions that was set aside.
  static func keptFiles(of number: Int, in container: URL) -> URL {
    container.appending(path: ".\(number).\(filesExtension)")
  }

  /// Whether a name in a folder of versions is that of such a file, as where the folder could not be set aside
  /// in the end.
  static func isKeptNote(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].isEmpty && Int(parts[1]) != nil
      && ["json", takenBackExtension, filesExtension].contains(String(parts[2]))
  }

  /// The version that was the current one before the catalogue was lost: the latest that was not taken back.
  func likelyCurrent(
    among versions: [(number: Int, url: URL)], of id: String, in files: FileSystem
  ) -> URL? {
    let current = versions.last { !files.exists(takenBackMark(of: $0.number, of: id)) }
    return (current ?? versions.last)?.url
  }

  /// The version that a file with that name in the folder of records is about; `nil` if it is about none.
  static func version(ofRecord name: String) -> (id: MapID, number: Int)? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let kinds = ["json", takenBackExtension, damageExtension]
    guard let kind = parts.last, kinds.contains(String(kind)) else { return nil }
    let stem = name.dropLast(kind.count + 1)
    guard let dash = stem.lastIndex(of: "-"), let id = MapID(String(stem[..<dash])),
      let number = recordNumber(in: "\(stem).json", of: id.text)
    else { return nil }
    return (id, number)
  }

  /// The number of the version that a file of that name is about; `nil` if it is about no version of a map.
  static func recordNumber(in name: String, of id: String) -> Int? {
    guard name.hasPrefix("\(id)-"), name.hasSuffix(".json") else { return nil }
    let digits = name.dropFirst(id.count + 1).dropLast(5)
    // A sign belongs to the id of another map.
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(digits)
  }

  /// A limit for the size of a record, in bytes.
  private static let largestRecord = 1 << 20

  /// What was recorded of a version when it was stored; `nil` where that is not known.
  func notedRecord(
    of number: Int, of id: String, _ form: StoredMap.Form, in files: FileSystem
  ) -> StoredMap? {
    Self.record(in: recordFile(of: number, of: id), of: number, of: id, form, by: files)
  }

  /// What a file says of a version; `nil` where it is about another one, or cannot be read.
  static func record(
    in file: URL, of number: Int, of id: String, _ form: StoredMap.Form, by files: FileSystem
  ) -> StoredMap? {
    // What cannot be read, or was written by another program, says nothing.
    guard let data = try? files.read(file, limit: Self.largestRecord),
      // The same.
      let map = try? JSONDecoder().decode(StoredMap.self, from: data),
      map.id.text == id, map.version == number, map.form == form
    else { return nil }
    return map
  }
}
