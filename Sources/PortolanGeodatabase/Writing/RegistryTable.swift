/// The oldest tables of a geodatabase, in which the others are registered, as statements.
///
/// Their columns have the types and rules that real files declare.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2
enum RegistryTable {
  /// Make the tables.
  static let statements = [
    version, spatialReferences, geometryColumns, layers, metadata, tables, locators, columns,
    tablesModified, rowIDGenerators,
  ]

  private static let version = """
    CREATE TABLE GDB_Version (major int32 primary key not null, minor int32 not null, \
    bugfix int32 not null, description text(96) not null, release int32 not null, \
    sdesvr_rel_low int32 not null)
    """

  private static let spatialReferences = """
    CREATE TABLE st_aux_spatial_reference_systems (\
    srid INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, auth_name TEXT(256), auth_srid INT32, \
    srtext TEXT(2048), falsex FLOAT64 NOT NULL, falsey FLOAT64 NOT NULL, \
    xyunits FLOAT64 NOT NULL, falsez FLOAT64 DEFAULT 0.0, zunits FLOAT64 DEFAULT 1.0, \
    falsem FLOAT64 DEFAULT 0.0, munits FLOAT64 DEFAULT 1.0, xycluster_tol FLOAT64, \
    zcluster_tol FLOAT64, mcluster_tol FLOAT64, object_flags INT32 DEFAULT 1)
    """

  private static let geometryColumns = """
    CREATE TABLE st_geometry_columns (gcid INTEGER PRIMARY KEY AUTOINCREMENT, \
    f_table_name CLOB NOT NULL, f_geometry_column CLOB NOT NULL, geometry_type INT32, \
    coord_dimension INT32, srid INTEGER NOT NULL, spatial_index_type CLOB, \
    CONSTRAINT gc_uk UNIQUE (f_table_name, f_geometry_column))
    """

  private static let layers = """
    CREATE TABLE GDB_Layers (layer_id INTEGER PRIMARY KEY AUTOINCREMENT, description TEXT(65), \
    table_name TEXT(128) NOT NULL, spatial_column TEXT(128) NOT NULL, eflags INT32 NOT NULL, \
    layer_mask INT32 NOT NULL, minx FLOAT64 NOT NULL, miny FLOAT64 NOT NULL, \
    maxx FLOAT64 NOT NULL, maxy FLOAT64 NOT NULL, minz FLOAT64, minm FLOAT64, maxz FLOAT64, \
    maxm FLOAT64, cdate INT64 NOT NULL, minimum_id INT64, srid INTEGER NOT NULL, \
    base_layer_id INTEGER NOT NULL, CONSTRAINT layer_uk UNIQUE (table_name, spatial_column))
    """

  private static let metadata = """
    CREATE TABLE GDB_Metadata (record_id INTEGER PRIMARY KEY AUTOINCREMENT, \
    object_name TEXT(160) NOT NULL, object_type INT32 NOT NULL, class_name TEXT(32), \
    property TEXT(32), prop_value TEXT(255), description TEXT(65), creation_date realdate)
    """

  private static let tables = """
    CREATE TABLE GDB_TableRegistry (registration_id INTEGER PRIMARY KEY AUTOINCREMENT, \
    table_name TEXT(128) NOT NULL UNIQUE, rowid_column TEXT(32), description TEXT(65), \
    object_flags INT32 NOT NULL, registration_date INT64 NOT NULL, minimum_id INT64)
    """

  private static let locators = """
    CREATE TABLE GDB_Locators (locator_id INTEGER PRIMARY KEY AUTOINCREMENT, \
    name TEXT(32) NOT NULL UNIQUE, category TEXT(32) NOT NULL, type INT32 NOT NULL, \
    description TEXT(65))
    """

  private static let columns = """
    CREATE TABLE GDB_ColumnRegistry (table_name TEXT(128) NOT NULL, \
    column_name TEXT(32) NOT NULL, sde_type INT32 NOT NULL, column_size INT32, \
    decimal_digits INT32, description TEXT(65), object_flags INT32 NOT NULL, object_id INT32, \
    CONSTRAINT colregistry_pk PRIMARY KEY (table_name, column_name))
    """

  private static let tablesModified = """
    CREATE TABLE GDB_TablesModified (table_name text(32) not null, time_last_modified int64)
    """

  private static let rowIDGenerators = """
    CREATE TABLE GDB_RowidGenerators (registration_id int32 not null, base_id int64 not null, \
    num_ids int64 not null, last_id int64, \
    CONSTRAINT GDB_RowidGenerators_pk PRIMARY KEY (registration_id, base_id))
    """
}
