class Users
  QUERY = <<~SQL
    SELECT u.id, count(*)
    FROM users u
    LEFT JOIN orders o ON o.user_id = u.id
    GROUP BY u.id
  SQL

  def remove(id)
    connection.execute("DELETE FROM users WHERE id = #{id}")
  end

  def text
    <<~TEXT
      select a user
      from the list
    TEXT
  end
end
