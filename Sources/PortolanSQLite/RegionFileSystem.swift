internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The virtual file system that opens a ``FileRegion`` as if it were a file.
///
/// SQLite keeps one list of file systems for the whole process, and only names reach
/// `sqlite3_open_v2`; so this one is registered once, on first use, and stays until the process
/// ends. What is registered never changes afterwards.
enum RegionFileSystem {
  /// Registers the file system unless that has been done, and returns its name.
  static func registeredName() throws(DatabaseError) -> String {
    guard registration == SQLITE_OK else {
      throw unsafe DatabaseError(registration, on: nil)
    }
    return name
  }

  private static let name = "portolan-region"

  /// The result of registering; Swift evaluates it once, whichever thread comes first.
  private static let registration: Int32 = register()

  private static func register() -> Int32 {
    MemoryStatistics.stop()
    guard let system = unsafe sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
    let fileSystem = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    // Names, times and random numbers come from the default file system.
    unsafe fileSystem.initialize(to: system.pointee)
    unsafe fileSystem.pointee.pNext = nil
    unsafe fileSystem.pointee.zName = UnsafePointer(strdup(name))
    unsafe fileSystem.pointee.szOsFile = max(
      system.pointee.szOsFile, Int32(MemoryLayout<RegionFile>.size))
    unsafe fileSystem.pointee.xOpen = { unsafe RegionFileSystem.openFile($1, $2, $3, $4) }
    return unsafe sqlite3_vfs_register(fileSystem, 0)
  }

  /// Opens the region that an address names, or, for sorting, a temporary file as usual.
  private static func openFile(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file = unsafe file else { return SQLITE_MISUSE }
    guard flags & SQLITE_OPEN_MAIN_DB != 0, let name = unsafe name else {
      let system = unsafe sqlite3_vfs_find(nil)
      return unsafe system?.pointee.xOpen(system, name, file, flags, outFlags) ?? SQLITE_CANTOPEN
    }
    // Without methods, SQLite does not close what failed to open.
    unsafe file.pointee.pMethods = nil
    let offset = unsafe Int(sqlite3_uri_int64(name, "offset", -1))
    let length = unsafe Int(sqlite3_uri_int64(name, "length", -1))
    guard let region = unsafe RegionFile.open(name, offset: offset, length: length) else {
      return SQLITE_CANTOPEN
    }
    unsafe UnsafeMutableRawPointer(file).initializeMemory(as: RegionFile.self, to: region)
    unsafe outFlags?.pointee = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
    return SQLITE_OK
  }
}

// MARK: - What SQLite calls

extension RegionFileSystem {
  /// The calls on an open region; SQLite keeps this pointer, so it is never freed.
  nonisolated(unsafe) static let methods: UnsafePointer<sqlite3_io_methods> = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    unsafe methods.initialize(to: sqlite3_io_methods())
    unsafe methods.pointee.iVersion = 3
    unsafe addReading(to: methods)
    unsafe addRefusals(to: methods)
    unsafe addMapping(to: methods)
    return unsafe UnsafePointer(methods)
  }()

  private static func addReading(to methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    unsafe methods.pointee.xClose = { file in
      unsafe RegionFile.at(file)?.pointee.close()
      return SQLITE_OK
    }
    unsafe methods.pointee.xRead = { file, buffer, count, position in
      guard let region = unsafe RegionFile.at(file) else { return csqlite_ioerr_read }
      let buffer = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
      return unsafe region.pointee.read(buffer, at: Int(position))
    }
    unsafe methods.pointee.xFileSize = { file, size in
      guard let region = unsafe RegionFile.at(file) else { return csqlite_ioerr_fstat }
      unsafe size?.pointee = sqlite3_int64(region.pointee.length)
      return SQLITE_OK
    }
    unsafe methods.pointee.xSectorSize = { _ in 4_096 }
    unsafe methods.pointee.xDeviceCharacteristics = { _ in SQLITE_IOCAP_IMMUTABLE }
  }

  private static func addRefusals(to methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    unsafe methods.pointee.xWrite = { _, _, _, _ in SQLITE_READONLY }
    unsafe methods.pointee.xTruncate = { _, _ in SQLITE_READONLY }
    unsafe methods.pointee.xSync = { _, _ in SQLITE_OK }
    unsafe methods.pointee.xLock = { _, _ in SQLITE_OK }
    unsafe methods.pointee.xUnlock = { _, _ in SQLITE_OK }
    unsafe methods.pointee.xCheckReservedLock = { _, isReserved in
      unsafe isReserved?.pointee = 0
      return SQLITE_OK
    }
  }

  private static func addMapping(to methods: UnsafeMutablePointer<sqlite3_io_methods>) {
    unsafe methods.pointee.xFileControl = { file, operation, argument in
      guard operation == SQLITE_FCNTL_MMAP_SIZE, let region = unsafe RegionFile.at(file),
        let limit = unsafe argument?.assumingMemoryBound(to: sqlite3_int64.self)
      else { return SQLITE_NOTFOUND }
      let old = unsafe region.pointee.mapLimit
      // A negative size only asks.
      if unsafe limit.pointee >= 0 { unsafe region.pointee.mapLimit = limit.pointee }
      unsafe limit.pointee = old
      return SQLITE_OK
    }
    unsafe methods.pointee.xFetch = { file, position, count, page in
      unsafe page?.pointee = RegionFile.at(file)?.pointee.fetch(Int(count), at: Int(position))
      return SQLITE_OK
    }
    unsafe methods.pointee.xUnfetch = { _, _, _ in SQLITE_OK }
  }
}
